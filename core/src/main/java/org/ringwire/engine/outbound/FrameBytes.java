package org.ringwire.engine.outbound;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ringwire.ring.OutboundRing;
import org.ringwire.wire.FrameLayout;

/**
 * Copies rare frames, which {@code org.ringwire.wire} makes as arrays, to where they are sent from.
 * From plain arrays, not heap segments: memory accesses of the hot path stay monomorphic for the
 * compiler as long as only native segments pass through them.
 */
final class FrameBytes {

  private FrameBytes() {}

  /** Puts a frame into a ring, where so many bytes were claimed. */
  static void commit(OutboundRing ring, long position, byte[] frame) {
    int head = FrameLayout.HEADER_LENGTH;
    copy(frame, head, ring.memory(), ring.offset(position) + head, frame.length - head);
    ring.commit(position, ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getLong(0));
  }

  static void copy(byte[] frame, int from, MemorySegment target, long offset, int length) {
    MemorySegment.copy(frame, from, target, ValueLayout.JAVA_BYTE, offset, length);
  }
}
