package org.ringwire.benchmarks.reference.plain;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.ringwire.benchmarks.reference.harness.Measurement;
import org.ringwire.benchmarks.reference.harness.Sample;

/**
 * The plain way to share a socket: a lock around one buffer, written when it is full or when a
 * caller flushes. Any thread may send; it holds the lock while it writes.
 */
final class FrameWriter {
  private final ReentrantLock lock = new ReentrantLock();
  private final SocketChannel channel;
  private final ByteBuffer buffer;

  /**
   * @param channel blocking, or not; then writing spins
   * @param payloadLength of every message; one larger than the buffer makes the buffer larger
   */
  FrameWriter(SocketChannel channel, int payloadLength) {
    this.channel = channel;
    // Direct: a heap buffer would be copied through one by the JDK.
    buffer =
        ByteBuffer.allocateDirect(
            Math.max(Measurement.BUFFER_LENGTH, Sample.frameLength(payloadLength)));
  }

  void send(Sample sample, boolean flush) throws IOException {
    lock.lock();
    try {
      if (buffer.remaining() < sample.frameLength()) {
        writeAll();
      }
      sample.encode(buffer);
      if (flush) {
        writeAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void writeAll() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      if (channel.write(buffer) == 0) { // only when the channel does not block
        Thread.onSpinWait();
      }
    }
    buffer.clear();
  }
}
