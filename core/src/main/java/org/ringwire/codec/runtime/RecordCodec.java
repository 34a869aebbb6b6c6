package org.ringwire.codec.runtime;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.codec.Codec;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;

/**
 * What generated codecs extend, and what they call for the records inside of their own. Public for
 * the generated classes alone, which live in the packages of the records. Stateless.
 *
 * <p>{@code depth} counts the records that are open around the value; it is bounded where a type
 * contains itself.
 *
 * @param <T> the record
 */
public abstract class RecordCodec<T> implements Codec<T> {
  /** How deep values of a type that contains itself may be nested. */
  static final int MAX_DEPTH = 256;

  private static final String COMPONENT = "component ";
  private static final int MAX_NAMED_LENGTH = 500;

  /** Names in an error, each of which takes an exception with a trace of a stack that is deep. */
  private static final int MAX_NAMES = 16;

  /** For subclasses. */
  protected RecordCodec() {}

  /** Generated codecs override this and the next two with straight code. */
  @Override
  public int length(T message) {
    return checkedLength(lengthOf(message, 0));
  }

  @Override
  public void encode(T message, Writer writer) {
    write(message, writer, 0);
  }

  @Override
  @SuppressWarnings("unchecked") // what a codec reads is what it writes
  public T decode(Reader reader) {
    return (T) read(reader, 0);
  }

  /** The exact number of bytes of a value that is not null. */
  public abstract long lengthOf(Object value, int depth);

  /** Writes a value that is not null. */
  public abstract void write(Object value, Writer writer, int depth);

  /** Reads a value; never null. */
  public abstract Object read(Reader reader, int depth);

  /** Writes a value of a fixed layout, which is not null, to memory that was reserved. */
  public void writeAt(Object value, MemorySegment memory, long offset) {
    throw notFixed();
  }

  /** Reads a value of a fixed layout; never null. */
  public Object readAt(MemorySegment memory, long offset) {
    throw notFixed();
  }

  /** Generated codecs of a fixed layout override both methods, and no others are asked. */
  private IllegalStateException notFixed() {
    return new IllegalStateException("codec has no fixed layout: codec=" + getClass().getName());
  }

  /** Narrows a length to what a message may have. */
  public static int checkedLength(long length) {
    if (length > Integer.MAX_VALUE) {
      throw new MessagingException(
          "message too long: length=" + length + " maximum=" + Integer.MAX_VALUE);
    }
    return (int) length;
  }

  /** Ends a recursion that is too deep for the stack before it gets there. */
  public static void checkDepth(int depth) {
    if (depth > MAX_DEPTH) {
      throw tooDeep();
    }
  }

  private static MessagingException tooDeep() {
    return new MessagingException("records nested too deeply: maximum depth=" + MAX_DEPTH);
  }

  /** Ends a recursion of a reader that is too deep for the stack before it gets there. */
  public static void checkReadDepth(int depth) {
    if (depth > MAX_DEPTH) {
      throw new DecodingException("records nested too deeply: maximum depth=" + MAX_DEPTH);
    }
  }

  /**
   * The same failure with the name of the component that it happened in in front, or with one more
   * name in front of those that it has, if these are few. What is not of the library, as a
   * constructor may throw it, stays as it is.
   */
  public static MessagingException inComponent(MessagingException failure, String component) {
    boolean damaged = failure instanceof DecodingException; // else only unknown on this side
    if (!damaged && failure.getClass() != MessagingException.class) {
      return failure;
    }
    String text = String.valueOf(failure.getMessage());
    boolean named = text.startsWith(COMPONENT);
    if (text.length() > MAX_NAMED_LENGTH || (named && names(text) >= MAX_NAMES)) {
      return failure; // of a type that contains itself, mostly
    }
    String rest = named ? "." + text.substring(COMPONENT.length()) : ": " + text;
    String message = COMPONENT + component + rest;
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return damaged ? new DecodingException(message, cause) : new MessagingException(message, cause);
  }

  /** How many names an error begins with. */
  private static long names(String text) {
    return 1 + text.chars().takeWhile(c -> c != ':').filter(c -> c == '.').count();
  }

  /** Throws for a byte with bits that no component has. */
  public static void checkNullBits(int found, int allowed) {
    if ((found & ~allowed) != 0) {
      throw new DecodingException(
          "null bits out of range: expected at most 0x"
              + Integer.toHexString(allowed)
              + ", found 0x"
              + Integer.toHexString(found & 0xff));
    }
  }

  /** Stands for a codec that is still being generated, in types that contain themselves. */
  public static final class Deferred extends RecordCodec<Object> {
    private @Nullable RecordCodec<?> target;

    /** Called once, before the codecs that use this one are published. */
    public void resolve(RecordCodec<?> codec) {
      target = codec;
    }

    private RecordCodec<?> target() {
      RecordCodec<?> codec = target;
      if (codec == null) {
        throw new IllegalStateException("codec used before it was generated");
      }
      return codec;
    }

    @Override
    public long lengthOf(Object value, int depth) {
      return target().lengthOf(value, depth);
    }

    @Override
    public void write(Object value, Writer writer, int depth) {
      target().write(value, writer, depth);
    }

    @Override
    public Object read(Reader reader, int depth) {
      return target().read(reader, depth);
    }
  }
}
