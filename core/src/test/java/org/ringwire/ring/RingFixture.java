package org.ringwire.ring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.wire.FrameLayout;

/**
 * A ring on the heap and a medium that takes bytes from it, as many as it is told to. What it took
 * is split into frames again; each frame of the tests carries one word after its header.
 */
final class RingFixture {

  private static final byte ANYTHING = 0x55;

  final MemorySegment memory;
  final long[] cursors = newCursors();
  final OutboundRing ring;

  /**
   * Words of the frames that arrived whole, in order; of detached ones the complement of their
   * position.
   */
  final List<Long> arrived = new ArrayList<>();

  long arrivedCharged;
  private long inFlight;
  private byte[] partial = new byte[0];

  RingFixture(int capacity) {
    memory = MemorySegment.ofArray(new long[capacity / 8]);
    memory.fill(ANYTHING); // what was there before is of no account
    ring = new OutboundRing(memory, cursors);
  }

  static long[] newCursors() {
    return RingLayout.newCursors();
  }

  /** Lets others run, where there are more threads than cores. */
  @SuppressWarnings("ThreadPriorityCheck")
  static void giveWay() {
    Thread.yield();
  }

  static long message(int length) {
    return FrameLayout.header(FrameLayout.MESSAGE, 7, length);
  }

  static long response(int length) {
    return FrameLayout.header(FrameLayout.RESPONSE, 7, length);
  }

  /** Begins a claimed frame and writes its body: the word, then its low byte up to the end. */
  void encode(long position, int length, long word) {
    long offset = ring.offset(position);
    ring.open(memory, position, message(length));
    if (length >= 16) {
      FrameLayout.writeWord(memory, offset + 8, word);
      memory.asSlice(offset + 16, length - 16).fill((byte) word);
    }
  }

  long send(int length, long word) {
    long position = ring.tryClaim(length, Long.MAX_VALUE);
    if (position >= 0) {
      encode(position, length, word);
      ring.commit(position, message(length));
    }
    return position;
  }

  /** Takes everything, completing at once. Returns bytes taken. */
  long drain() {
    long total = 0;
    while (true) {
      long bytes = take(Long.MAX_VALUE, Long.MAX_VALUE);
      complete(bytes);
      total += bytes;
      if (bytes == 0 && !passDetached()) {
        return total;
      }
    }
  }

  /** Takes at most so many bytes of one scan, without completing them. */
  long take(long scanBytes, long maxBytes) {
    long bytes = Math.min(maxBytes, ring.consumer().scan(scanBytes));
    if (bytes > 0) {
      accept(memory.asSlice(ring.consumer().sentOffset(), bytes));
      ring.consumer().sent(bytes);
      inFlight += bytes;
    }
    return bytes;
  }

  boolean passDetached() {
    ring.consumer().scan(0);
    long position = ring.consumer().detachedPosition();
    if (position == -1) {
      return false;
    }
    arrived.add(~position);
    ring.consumer().skipDetached();
    return true;
  }

  long inFlight() {
    return inFlight;
  }

  void complete(long bytes) {
    if (bytes > 0) {
      inFlight -= bytes;
      ring.consumer().completed(bytes);
    }
  }

  private void accept(MemorySegment bytes) {
    byte[] all = new byte[partial.length + (int) bytes.byteSize()];
    System.arraycopy(partial, 0, all, 0, partial.length);
    MemorySegment stream = MemorySegment.ofArray(all);
    MemorySegment.copy(bytes, 0, stream, partial.length, bytes.byteSize());
    int offset = 0;
    while (all.length - offset >= 8) {
      long header = FrameLayout.readHeader(stream, offset);
      int length = FrameLayout.length(header);
      int kind = FrameLayout.kind(header);
      if ((kind != FrameLayout.MESSAGE && kind != FrameLayout.RESPONSE) || length < 8) {
        throw new AssertionError("not a frame to send: header=" + Long.toHexString(header));
      }
      if (FrameLayout.occupied(length) > all.length - offset) {
        break;
      }
      arrived.add(check(stream, offset, length));
      checkPadding(stream, offset + length);
      arrivedCharged += kind == FrameLayout.MESSAGE ? FrameLayout.occupied(length) : 0;
      offset += (int) FrameLayout.occupied(length);
    }
    partial = new byte[all.length - offset];
    System.arraycopy(all, offset, partial, 0, partial.length);
  }

  private static long check(MemorySegment stream, long offset, int length) {
    if (length < 16) {
      return 0;
    }
    long word = FrameLayout.readWord(stream, offset + 8);
    for (long at = offset + 16; at < offset + length; at++) {
      if (stream.get(ValueLayout.JAVA_BYTE, at) != (byte) word) {
        throw new AssertionError("body differs: word=" + word + ", at=" + (at - offset));
      }
    }
    return word;
  }

  private static void checkPadding(MemorySegment stream, long end) {
    for (long at = end; at < FrameLayout.occupied(end); at++) {
      if (stream.get(ValueLayout.JAVA_BYTE, at) != 0) {
        throw new AssertionError("padding is not zero: at=" + at);
      }
    }
  }

  /** Whether there is no mark, as it must be when everything was released. */
  boolean isUnmarked() {
    for (long offset = 0; offset < memory.byteSize(); offset += 8) {
      if (ring.marks().get(offset) != FrameMarks.FREE) {
        return false;
      }
    }
    return true;
  }
}
