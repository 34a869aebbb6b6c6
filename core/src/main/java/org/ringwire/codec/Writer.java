package org.ringwire.codec;

import java.lang.foreign.MemorySegment;

/** Writes a message into a bounded piece of memory. */
public final class Writer {

  private MemorySegment memory = MemorySegment.NULL;
  private long position;
  private long limit;

  /** A writer that must be wrapped around memory before use. */
  public Writer() {}

  /** Starts over at an offset of some memory, bounded by a length. */
  public void wrap(MemorySegment target, long offset, long length) {
    memory = target;
    position = offset;
    limit = offset + length;
  }

  /** The memory. */
  public MemorySegment memory() {
    return memory;
  }

  /** Offset in the memory of the next byte. */
  public long position() {
    return position;
  }

  /** Offset in the memory of the end. */
  public long limit() {
    return limit;
  }

  /** Reserves bytes and returns the offset of the first. */
  public long advance(long length) {
    long offset = position;
    if (length > limit - offset) {
      throw new IndexOutOfBoundsException("no room: length=" + length);
    }
    position = offset + length;
    return offset;
  }
}
