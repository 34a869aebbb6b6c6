package org.ringwire.transport.selector;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.ringwire.ring.NativeMemory;

/**
 * Native memory that one thread at a time reads input into; owned, and closed once, by its maker.
 */
public final class ReadBuffer implements AutoCloseable {

  /** Bytes that an I/O thread reads at a time. */
  public static final int LOOP_CAPACITY = 256 << 10;

  /** Bytes that a leading thread reads at a time. */
  public static final int LEADER_CAPACITY = 64 << 10;

  private final NativeMemory.Scope scope = NativeMemory.open("read buffer of a transport");
  private final MemorySegment segment;
  private final ByteBuffer buffer;

  public ReadBuffer(int capacity) {
    boolean made = false;
    try {
      segment = scope.allocate(capacity, 64);
      buffer = segment.asByteBuffer();
      made = true;
    } finally {
      if (!made) {
        scope.close();
      }
    }
  }

  /** The memory. */
  public MemorySegment segment() {
    return segment;
  }

  /** A view of the whole memory, empty. */
  public ByteBuffer cleared() {
    return buffer.clear();
  }

  /**
   * A view of the memory, empty.
   *
   * @param most bytes that it takes, if the memory has as many
   */
  public ByteBuffer cleared(int most) {
    return buffer.clear().limit(Math.min(most, buffer.capacity()));
  }

  @Override
  public void close() {
    scope.close();
  }
}
