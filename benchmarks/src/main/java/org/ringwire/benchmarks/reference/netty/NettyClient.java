package org.ringwire.benchmarks.reference.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.ReceiverReport;
import org.ringwire.benchmarks.reference.harness.RequestClient;
import org.ringwire.benchmarks.reference.harness.ResponseSlot;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.StreamClient;

/**
 * Netty's ordinary writes from the application's threads: the event loop is handed each message,
 * and a flush with every 64th, or as the settings say.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach exceptionCaught or a listener
final class NettyClient implements StreamClient, RequestClient {
  /**
   * Bytes on their way before a sender waits, without which the loop's task queue would grow until
   * memory ends: dozens of batches, so that the loop never runs dry, and less than a young
   * generation.
   */
  private static final int BYTES_IN_FLIGHT = 4 * 1024 * 1024;

  private final ResponseSlot[] slots;
  private final Semaphore batches;
  private volatile @Nullable Channel connected;
  private volatile @Nullable Throwable failure;

  NettyClient(Settings settings) {
    slots = ResponseSlot.create(settings.threads());
    batches = newBatches(settings);
  }

  /** Permits for batches of as many messages as go with a flush. */
  private static Semaphore newBatches(Settings settings) {
    long batchLength =
        (long) Sample.frameLength(settings.payloadLength()) * settings.messagesPerFlush();
    return new Semaphore(Math.clamp(BYTES_IN_FLIGHT / batchLength, 2, 256));
  }

  /** The last handler of the pipeline; completes requests on the event loop. */
  ChannelHandler handler() {
    return new SimpleChannelInboundHandler<Sample>() {
      @Override
      protected void channelRead0(ChannelHandlerContext context, Sample sample) {
        ResponseSlot.of(slots, sample.sender()).complete(sample);
      }

      @Override
      public void channelInactive(ChannelHandlerContext context) {
        fail(new EOFException("the receiving process closed the connection"));
      }

      @Override
      public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(cause);
        context.close();
      }
    };
  }

  void connected(Channel channel) {
    connected = channel;
  }

  private void fail(Throwable cause) {
    failure = cause;
    batches.release(1024); // nobody waits for room that never comes
    for (ResponseSlot slot : slots) {
      slot.fail(cause);
    }
  }

  @Override
  public void send(Sample sample, boolean flush) throws IOException {
    Channel channel = Objects.requireNonNull(connected);
    if (!flush) {
      // No promise per message: nobody asks for it, and it is the cheaper of the ordinary ways.
      channel.write(sample, channel.voidPromise());
      return;
    }
    awaitRoom();
    channel.writeAndFlush(sample).addListener(roomAgain());
  }

  /** Takes room for a batch; one permit comes back when the batch is in the kernel. */
  void awaitRoom() throws IOException {
    batches.acquireUninterruptibly();
    Throwable cause = failure;
    if (cause != null) {
      throw new IOException("connection lost", cause);
    }
  }

  ChannelFutureListener roomAgain() {
    return future -> {
      batches.release();
      if (!future.isSuccess()) {
        fail(future.cause());
      }
    };
  }

  @Override
  public Sample request(Sample sample) throws IOException {
    Channel channel = Objects.requireNonNull(connected);
    ResponseSlot slot = ResponseSlot.of(slots, sample.sender());
    slot.prepare();
    channel.writeAndFlush(sample, channel.voidPromise());
    return slot.await();
  }

  @Override
  public ReceiverReport barrier() throws Exception {
    return RequestClient.super.barrier();
  }
}
