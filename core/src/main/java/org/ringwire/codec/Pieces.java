package org.ringwire.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Long copies, in pieces. A thread that copies comes to no safepoint before its copy has ended, and
 * all others of the process wait for it where the JVM needs one: for hundreds of mebibytes that
 * would be longer than any pause of its garbage collectors. Stateless.
 *
 * <p>The caller copies the last piece, which mostly is all: so this adds nothing to how deep the
 * calls of a short copy are, of which the compiler inlines a limited number.
 */
final class Pieces {

  /** Copied within some 100 us. */
  static final int LENGTH = 1 << 20;

  private Pieces() {}

  /** Copies all of an array but what fits into one piece; returns how many values. */
  static int put(
      Object source, int index, MemorySegment memory, ValueLayout layout, long at, int count) {
    int width = (int) layout.byteSize();
    int most = LENGTH / width;
    int done = 0;
    while (count - done > most) {
      MemorySegment.copy(source, index + done, memory, layout, at + (long) done * width, most);
      done += most;
    }
    return done;
  }

  /** The same in the other direction. */
  static int get(
      MemorySegment memory, ValueLayout layout, long at, Object target, int index, int count) {
    int width = (int) layout.byteSize();
    int most = LENGTH / width;
    int done = 0;
    while (count - done > most) {
      MemorySegment.copy(memory, layout, at + (long) done * width, target, index + done, most);
      done += most;
    }
    return done;
  }

  /** The same between memory and memory; returns how many bytes. */
  static long copy(MemorySegment source, long from, MemorySegment target, long to, long length) {
    long done = 0;
    while (length - done > LENGTH) {
      MemorySegment.copy(source, from + done, target, to + done, LENGTH);
      done += LENGTH;
    }
    return done;
  }
}
