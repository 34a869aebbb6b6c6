package org.ringwire.ring;

import java.lang.foreign.MemorySegment;
import org.ringwire.wire.FrameLayout;

/** A ring of 64 bytes on the heap, with steps for actors and questions for arbiters. */
final class StressedRing {

  static final int LENGTH = 16;

  final MemorySegment memory = MemorySegment.ofArray(new long[8]);
  final long[] cursors = RingLayout.newCursors();
  final OutboundRing ring = new OutboundRing(memory, cursors);

  /** Moves an empty ring on; the bytes are not charged. */
  void use(int bytes) {
    for (int used = 0; used < bytes; used += 8) {
      ring.commit(ring.tryClaimUncharged(8), FrameLayout.header(FrameLayout.RESPONSE, 0, 8));
      take();
    }
  }

  void encode(long position, long word) {
    FrameLayout.writeWord(memory, ring.offset(position) + 8, word);
  }

  void commit(long position, long word) {
    encode(position, word);
    ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));
  }

  int send(long word, long granted) {
    long position = ring.tryClaim(LENGTH, granted);
    if (position >= 0) {
      commit(position, word);
      return 1;
    }
    return (int) position;
  }

  /** Takes what one scan finds; the words of the frames are the digits of the result. */
  int take() {
    long bytes = ring.consumer().scan(64);
    int words = 0;
    long offset = ring.consumer().sentOffset();
    for (long end = offset + bytes; offset < end; ) {
      long length = FrameLayout.length(FrameLayout.readHeader(memory, offset));
      words = words * 10 + (length == LENGTH ? (int) FrameLayout.readWord(memory, offset + 8) : 0);
      offset += length;
    }
    ring.consumer().sent(bytes);
    if (bytes > 0) {
      ring.consumer().completed(bytes);
    }
    return words;
  }

  /** Takes all; at most two scans find something, because the ring wraps at most once. */
  int takeAll() {
    int first = take();
    int second = take();
    return second == 0 ? first : Integer.parseInt("" + first + second);
  }

  /** Whether the ring is empty, and as it was at the beginning. */
  boolean isClean() {
    return ring.isEmpty()
        && isUnmarked()
        && cursor(RingLayout.RELEASED) == cursor(RingLayout.TAIL)
        && cursor(RingLayout.SETTLING) == 0;
  }

  private boolean isUnmarked() {
    for (long offset = 0; offset < memory.byteSize(); offset += 8) {
      if (ring.marks().get(offset) != FrameMarks.FREE) {
        return false;
      }
    }
    return true;
  }

  /** Bytes charged in total. */
  long charged() {
    return cursor(RingLayout.TAIL) - cursor(RingLayout.UNCHARGED);
  }

  private long cursor(int cursor) {
    return (long) RingLayout.CURSOR.getVolatile(cursors, cursor);
  }
}
