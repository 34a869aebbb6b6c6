package org.ringwire.ring;

import java.lang.foreign.MemorySegment;

/**
 * Copies that may be long, in pieces: a thread that copies comes to no safepoint before its copy
 * has ended, and all others of the process wait for it where the JVM needs one. Stateless.
 */
public final class LongCopy {

  /** Copied within some 100 us. */
  static final long PIECE = 1 << 20;

  private LongCopy() {}

  /** As {@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)}. */
  public static void copy(
      MemorySegment source, long from, MemorySegment target, long to, long length) {
    long done = 0;
    while (length - done > PIECE) {
      MemorySegment.copy(source, from + done, target, to + done, PIECE);
      done += PIECE;
    }
    MemorySegment.copy(source, from + done, target, to + done, length - done);
  }
}
