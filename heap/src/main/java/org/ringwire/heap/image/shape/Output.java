package org.ringwire.heap.image.shape;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.memory.Raw;

/**
 * What shapes write to: memory by address, in which they ask for room, and all that is known of the
 * image at hand. An address is valid until somebody asks again. For one thread.
 *
 * <p>Shapes know no more of an encoder than this, so that it may know all of them. As long as
 * nothing but that extends this class, the compiler of the JVM calls it without a look at what it
 * is.
 */
public abstract class Output {

  /** A second result of {@link Shape#encodeRun}. */
  private long runEnd;

  /** For the one encoder. */
  protected Output() {}

  /**
   * Makes sure that there is room, which may move what was written.
   *
   * @param bytes at least one of which will be written, and all but {@link Tags#SPARE}
   * @return the address to go on at
   */
  public abstract long require(long a, long bytes);

  /** Bytes that can be written without asking. */
  public abstract long room(long a);

  /** Writes a reference of any kind. */
  public abstract long reference(@Nullable Object o, long a);

  /** Whether an object that may nest deeper has to be put off. */
  public abstract boolean isFull();

  /** Leaves an object for later; room for a tag has to be there. */
  public abstract long putOff(Object o, long a);

  /** Whether objects have numbers. */
  public abstract boolean isTracked();

  /** The number of an object that was written before, or -1, and from now on it has been. */
  public abstract int visit(Object o, int contentHash);

  /** Refers to an object that was written before; room for a tag has to be there. */
  public static long back(int number, long a) {
    UNSAFE.putByte(a, (byte) Tags.BACK);
    UNSAFE.putInt(a + 1, number);
    return a + 1 + Integer.BYTES;
  }

  /**
   * Writes the tag of a shape; room for one has to be there.
   *
   * @param more bytes that there has to be room for behind it
   */
  public abstract long tag(Shape shape, int ordinal, long more, long a);

  /** The tag of a shape that was written already, or what is no tag of a byte. */
  public abstract int tagOf(int ordinal);

  /** Goes one level deeper. */
  public abstract void enter();

  /** Goes back up. */
  public abstract void leave();

  /** Whether an array of that length goes out piece by piece: {@link #bulk}. */
  public abstract boolean isBulk(long bytes);

  /**
   * Writes the content of a long array of numbers. Where memory can be seen as a segment, whole
   * blocks are handed out from the array itself, without a copy in between.
   *
   * @param array typed so that the compiler of the JVM treats this as raw access
   * @param offset of its content
   * @return the address to go on at
   */
  public abstract long bulk(Object array, long offset, long bytes, long a);

  /** Writes bytes behind their number, as {@link Input#bytes} reads them. */
  public final long bytes(byte[] bytes, long a) {
    long at = require(a, Integer.BYTES + (long) bytes.length);
    UNSAFE.putInt(at, bytes.length);
    Raw.copyOut(bytes, at + Integer.BYTES);
    return at + Integer.BYTES + bytes.length;
  }

  /** Where the last run of elements ended. */
  public final long runEnd() {
    return runEnd;
  }

  /** A run of elements has ended. */
  public final void endRun(long a) {
    runEnd = a;
  }
}
