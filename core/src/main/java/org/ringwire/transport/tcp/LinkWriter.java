package org.ringwire.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.support.Gate;

/** The output of a link; one thread at a time, before the link has ended. */
final class LinkWriter {

  /**
   * Bytes that the kernel sends as one: a segment has 64 KiB with its headers over the loopback
   * interface, and as much where the card cuts it into packets. What goes beyond is another
   * segment, however short, with the same work for both sides and another wake-up of the reader.
   */
  private static final int SEGMENT = 65_400;

  /** Bytes offered to the kernel at a time; more leaves the cache before the reader takes it. */
  private static final int MAX_WRITE = 2 * SEGMENT;

  private static final int MAX_RANGES = 16;

  private final SocketChannel channel;
  private final Gate gate;
  private final OutboundRanges ranges = new OutboundRanges(MAX_RANGES, SEGMENT);

  LinkWriter(SocketChannel channel, Gate gate) {
    this.channel = channel;
    this.gate = gate;
  }

  /**
   * Writes until the source has nothing more, or the kernel takes no more; never blocks.
   *
   * @return whether the source has nothing more
   */
  boolean write(OutboundSource source) throws IOException {
    try {
      do {
        ranges.clear();
        if (source.next(ranges) == 0) {
          return true;
        }
        if (gate.isClosing()) {
          throw new ClosedChannelException();
        }
      } while (writeRanges(source));
      return false;
    } finally {
      ranges.clear();
    }
  }

  /** Returns whether the kernel took all that it was offered. */
  private boolean writeRanges(OutboundSource source) throws IOException {
    int count = limit();
    ByteBuffer[] buffers = ranges.buffers();
    long written = count == 1 ? channel.write(buffers[0]) : channel.write(buffers, 0, count);
    if (written > 0) {
      source.sentAndCompleted(written); // the kernel has a copy
    }
    return !buffers[count - 1].hasRemaining();
  }

  /** Cuts what is offered at a time; returns the number of ranges to write. */
  private int limit() {
    long room = MAX_WRITE;
    int count = 0;
    while (count < ranges.count() && room > 0) {
      ByteBuffer buffer = ranges.buffers()[count++];
      if (buffer.remaining() > room) {
        buffer.limit(buffer.position() + (int) room);
      }
      room -= buffer.remaining();
    }
    return count;
  }
}
