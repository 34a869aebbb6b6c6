package org.ringwire.codec.runtime;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Lengths;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;

/**
 * Values of a sealed interface: the number of the subtype in the order of names, from 1, then its
 * fields; 0 is null. Public for generated classes alone. Immutable once published.
 */
public final class ChoiceCodec {
  private final String name;
  private final Class<?>[] types;
  private final RecordCodec<?>[] codecs;

  /** For subtypes whose codecs are set by {@link #resolve} before this one is published. */
  public ChoiceCodec(String name, Class<?>[] types) {
    this.name = name;
    this.types = types;
    this.codecs = new RecordCodec<?>[types.length];
  }

  public void resolve(int index, RecordCodec<?> codec) {
    codecs[index] = codec;
  }

  private int indexOf(Object value) {
    Class<?> type = value.getClass();
    for (int i = 0; i < types.length; i++) {
      if (types[i] == type) {
        return i;
      }
    }
    for (int i = 0; i < types.length; i++) {
      if (types[i].isInstance(value)) { // a constant with a body
        return i;
      }
    }
    throw new IllegalArgumentException("not permitted by " + name + ": type=" + type.getName());
  }

  /** The exact number of bytes. */
  public long lengthOf(@Nullable Object value, int depth) {
    if (value == null) {
      return 1;
    }
    RecordCodec.checkDepth(depth);
    int index = indexOf(value);
    return tagLength(index + 1) + codecs[index].lengthOf(value, depth);
  }

  private static int tagLength(int tag) {
    return Lengths.ofCompactUnsignedInt(tag);
  }

  /** Writes a value or null. */
  public void write(@Nullable Object value, Writer writer, int depth) {
    if (value == null) {
      writer.putByte((byte) 0);
      return;
    }
    int index = indexOf(value);
    writer.putCompactUnsignedInt(index + 1);
    codecs[index].write(value, writer, depth);
  }

  /** Reads a value or null. */
  public @Nullable Object read(Reader reader, int depth) {
    int tag = reader.getCompactUnsignedInt();
    if (tag == 0) {
      return null;
    }
    RecordCodec.checkReadDepth(depth);
    if (tag < 0 || tag > types.length) {
      throw new DecodingException(
          "no such subtype of "
              + name
              + ": expected 1 to "
              + types.length
              + ", found "
              + Integer.toUnsignedString(tag));
    }
    return codecs[tag - 1].read(reader, depth);
  }

  @Override
  public String toString() {
    return name + Arrays.toString(types);
  }
}
