package org.ringwire.codec.runtime;

import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;

/** A constant of an enum as a message of its own, or where a sealed interface permits an enum. */
public final class EnumCodec extends RecordCodec<Object> {
  private final EnumIndex index;

  public EnumCodec(EnumIndex index) {
    this.index = index;
  }

  @Override
  public long lengthOf(Object value, int depth) {
    return index.width();
  }

  @Override
  public void write(Object value, Writer writer, int depth) {
    short number = index.indexOf(value);
    if (index.width() == Byte.BYTES) {
      writer.putByte((byte) number);
    } else {
      writer.putShort(number);
    }
  }

  @Override
  public Object read(Reader reader, int depth) {
    int number = index.width() == Byte.BYTES ? reader.getByte() & 0xff : reader.getShort() & 0xffff;
    @Nullable Object constant = index.constantAt(number);
    if (constant == null) {
      throw new DecodingException("null where a constant is required");
    }
    return constant;
  }
}
