package org.ringwire.transport.tcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Native memory that one thread at a time reads input into; owned, and closed once, by its maker.
 */
final class ReadBuffer implements AutoCloseable {

  /** Bytes that an I/O thread reads at a time. */
  static final int LOOP_CAPACITY = 256 << 10;

  /** Bytes that a leading thread reads at a time. */
  static final int LEADER_CAPACITY = 64 << 10;

  private final Arena arena = Arena.ofShared(); // made and used by different threads
  private final MemorySegment segment;
  private final ByteBuffer buffer;

  ReadBuffer(int capacity) {
    segment = arena.allocate(capacity, 64);
    buffer = segment.asByteBuffer();
  }

  /** The memory. */
  MemorySegment segment() {
    return segment;
  }

  /** A view of the whole memory, empty. */
  ByteBuffer cleared() {
    return buffer.clear();
  }

  @Override
  public void close() {
    arena.close();
  }
}
