package org.ringwire.codec;

import java.lang.foreign.MemorySegment;

/** Reads a message from a bounded piece of memory. */
public final class Reader {

  private MemorySegment memory = MemorySegment.NULL;
  private long position;
  private long limit;
  private boolean copyViews;

  /** A reader that must be wrapped around memory before use. */
  public Reader() {}

  /** Starts over at an offset of some memory, bounded by a length. */
  public void wrap(MemorySegment source, long offset, long length) {
    memory = source;
    position = offset;
    limit = offset + length;
  }

  /** Whether views are copies that outlive the memory. */
  public void copyViews(boolean copy) {
    copyViews = copy;
  }

  /** Whether views are copies that outlive the memory. */
  public boolean copiesViews() {
    return copyViews;
  }

  /** The memory. */
  public MemorySegment memory() {
    return memory;
  }

  /** Offset in the memory of the next byte. */
  public long position() {
    return position;
  }

  /** Bytes that are left. */
  public long remaining() {
    return limit - position;
  }
}
