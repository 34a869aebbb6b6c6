package org.ringwire.benchmarks.reference.plain;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.Measurement;
import org.ringwire.benchmarks.reference.harness.Sample;

/** Reads a channel and cuts it into objects. Used by one thread. */
final class FrameReader {
  private final SocketChannel channel;
  private final ByteBuffer buffer;

  /**
   * @param channel blocking, or not; then reading spins
   * @param payloadLength of every message; one larger than the buffer makes the buffer larger
   */
  FrameReader(SocketChannel channel, int payloadLength) {
    this.channel = channel;
    // Direct: a heap buffer would be copied through one by the JDK. One read can take what one
    // write gave.
    buffer =
        ByteBuffer.allocateDirect(
            Math.max(Measurement.BUFFER_LENGTH, Sample.frameLength(payloadLength)));
    buffer.limit(0);
  }

  /** Waits for the next object; null at the end of the stream. */
  @Nullable Sample next() throws IOException {
    while (true) {
      int available = buffer.remaining();
      if (available >= Sample.LENGTH_BYTES) {
        int length = buffer.getInt(buffer.position()) + Sample.LENGTH_BYTES;
        if (available >= length) {
          return Sample.decode(buffer);
        }
      }
      if (!fill()) {
        return null;
      }
    }
  }

  private boolean fill() throws IOException {
    buffer.compact();
    int count = channel.read(buffer);
    while (count == 0) { // only when the channel does not block
      Thread.onSpinWait();
      count = channel.read(buffer);
    }
    buffer.flip();
    return count > 0;
  }
}
