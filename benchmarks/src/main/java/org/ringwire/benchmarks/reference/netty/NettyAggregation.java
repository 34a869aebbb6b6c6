package org.ringwire.benchmarks.reference.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.ReceiverReport;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.StreamClient;

/**
 * What a user who knows Netty well does: encodes 64 messages, or as many as the settings say, into
 * one buffer on his own thread and hands the loop that, one task for all of them.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach exceptionCaught or a listener
final class NettyAggregation implements StreamClient {
  /** A longer one grows as it is filled. */
  private static final long LONGEST_BATCH = 1 << 30;

  private final ReentrantLock lock = new ReentrantLock();
  private final Channel channel;
  private final NettyClient client;
  private final int batchLength;
  private @Nullable ByteBuf batch;

  NettyAggregation(Channel channel, NettyClient client, Settings settings) {
    this.channel = channel;
    this.client = client;
    batchLength =
        Math.toIntExact(
            Math.min(
                LONGEST_BATCH,
                (long) Sample.frameLength(settings.payloadLength()) * settings.messagesPerFlush()));
  }

  @Override
  public void send(Sample sample, boolean flush) throws IOException {
    lock.lock();
    try {
      ByteBuf current = batch;
      if (current == null) {
        current = channel.alloc().ioBuffer(batchLength);
        batch = current;
      }
      NettyCodec.encode(sample, current);
      if (flush) {
        flush(current);
      }
    } finally {
      lock.unlock();
    }
  }

  private void flush(ByteBuf current) throws IOException {
    client.awaitRoom();
    channel.writeAndFlush(current).addListener(client.roomAgain());
    batch = null;
  }

  @Override
  public ReceiverReport barrier() throws Exception {
    lock.lock();
    try {
      ByteBuf current = batch;
      if (current != null) {
        flush(current);
      }
    } finally {
      lock.unlock();
    }
    return client.barrier();
  }
}
