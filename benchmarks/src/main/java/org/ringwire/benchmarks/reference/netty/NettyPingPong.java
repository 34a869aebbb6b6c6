package org.ringwire.benchmarks.reference.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.ReceiverReport;
import org.ringwire.benchmarks.reference.harness.RoundTrips;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.ThreadedRoundTrips;
import org.ringwire.tools.bench.measure.RttMicros;

/**
 * A ping-pong that lives on the event loop, Netty's best case: the handler that gets the pong sends
 * the next ping, so no thread is woken but by the socket. Fields belong to the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach exceptionCaught or a listener
final class NettyPingPong extends SimpleChannelInboundHandler<Sample> implements RoundTrips {
  private final byte[] payload;
  private Histogram nanos = RttMicros.newHistogram();
  private CompletableFuture<Histogram> end = new CompletableFuture<>();
  private CompletableFuture<ReceiverReport> report = new CompletableFuture<>();
  private long sequence;
  private long sentNs;
  private long deadlineNs;
  private long pause; // ns
  private volatile @Nullable Channel connected;

  NettyPingPong(int payloadLength) {
    payload = Sample.pattern(payloadLength);
  }

  void connected(Channel channel) {
    connected = channel;
  }

  /** The event loop is there already. */
  @Override
  public Run prepare(long pauseNs) {
    Histogram times = RttMicros.newHistogram();
    return new Run() {
      @Override
      public void run(double seconds) throws IOException {
        pingPong(seconds, pauseNs, times);
      }

      @Override
      public Histogram nanos() {
        return times;
      }
    };
  }

  private void pingPong(double seconds, long pauseNs, Histogram times) throws IOException {
    Channel channel = Objects.requireNonNull(connected);
    CompletableFuture<Histogram> finished = new CompletableFuture<>();
    channel
        .eventLoop()
        .execute(() -> {
          end = finished;
          nanos = times;
          sentNs = System.nanoTime();
          deadlineNs = sentNs + (long) (seconds * 1e9);
          pause = pauseNs;
          pingLater(channel);
        });
    get(finished, (long) (seconds * 1000) + 10_000);
  }

  @Override
  public ReceiverReport barrier() throws IOException {
    Channel channel = Objects.requireNonNull(connected);
    CompletableFuture<ReceiverReport> answer = new CompletableFuture<>();
    channel
        .eventLoop()
        .execute(() -> {
          report = answer;
          channel.writeAndFlush(new Sample(0, Sample.BARRIER, new byte[0]));
        });
    return get(answer, 10_000);
  }

  private static <T> T get(CompletableFuture<T> future, long timeoutMs) throws IOException {
    try {
      return future.get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new IOException("no answer from the receiving process", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void pingLater(Channel channel) {
    if (pause == 0) {
      ping(channel);
      return;
    }
    channel
        .eventLoop()
        .schedule(
            () -> {
              sentNs = System.nanoTime();
              ping(channel);
            },
            pause,
            TimeUnit.NANOSECONDS);
  }

  private void ping(Channel channel) {
    channel.writeAndFlush(new Sample(sequence, 0, payload), channel.voidPromise());
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, Sample sample) {
    if (sample.sender() == Sample.BARRIER) {
      report.complete(ReceiverReport.fromSample(sample));
      return;
    }
    ThreadedRoundTrips.requireEcho(sample, sequence, 0);
    sequence++;
    long now = System.nanoTime();
    nanos.recordValue(now - sentNs);
    sentNs = now;
    if (now < deadlineNs) {
      pingLater(context.channel());
    } else {
      end.complete(nanos);
    }
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

  private void fail(Throwable cause) {
    end.completeExceptionally(cause);
    report.completeExceptionally(cause);
  }
}
