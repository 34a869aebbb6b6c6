package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;
import static org.ringwire.transport.tls.TlsTransports.TCP;
import static org.ringwire.transport.tls.TlsTransports.listen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;

/** Who writes during a handshake. */
@ExtendWith(NodeWatcher.class)
class TlsHandshakeTest {

  @TempDir private Path folder;

  /**
   * A medium that is full after ten bytes. The thread that tells when it is not any more stays in
   * what it writes then, as if it were descheduled, until the link has ended.
   */
  private static final class SlowToldMedium extends Tap {
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean begun;
    private volatile @Nullable Thread telling;

    @Override
    public boolean write(OutboundSource source) throws IOException {
      if (!begun) {
        begun = true;
        boolean _ = super.write(new FirstBytes(source));
        Thread writer = Thread.currentThread();
        telling = Thread.ofPlatform().daemon(true).unstarted(() -> tell(writer));
        telling.start();
        return false;
      }
      boolean all = super.write(source);
      if (Thread.currentThread().equals(telling)) {
        awaitEnd();
      }
      return all;
    }

    private void tell(Thread writer) {
      await("the writer has left", () -> hasLeft(writer.getState()));
      writable();
    }

    private static boolean hasLeft(Thread.State state) {
      return state != Thread.State.RUNNABLE && state != Thread.State.BLOCKED;
    }

    private void awaitEnd() {
      try {
        assertThat(ended.await(TestNodes.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      super.closed(cause);
      ended.countDown();
    }
  }

  /** The first ten bytes that another source offers. */
  private static final class FirstBytes implements OutboundSource {
    private final OutboundSource whole;
    private long left = 10;

    FirstBytes(OutboundSource whole) {
      this.whole = whole;
    }

    @Override
    public long next(OutboundRanges ranges) {
      if (left > 0) {
        OutboundRanges all = new OutboundRanges(1);
        assertThat(whole.next(all)).isGreaterThan(left);
        ranges.add(all.segment(0), all.buffers()[0], all.offset(0), left);
      }
      return ranges.bytes();
    }

    @Override
    public void sent(long bytes) {
      left -= bytes;
      whole.sent(bytes);
    }

    @Override
    public void completed(long bytes) {
      whole.completed(bytes);
    }
  }

  /**
   * An engine in the middle of a handshake reads nothing before it has wrapped what it has to say.
   * Who reads used to give up when another thread had the role of writing then.
   */
  @Test
  void shouldReadOnWhileAnotherThreadIsToldThatTheMediumTakesBytes() throws IOException {
    try (TlsTransports transports = new TlsTransports(folder)) {
      TlsTransport listening = transports.open(1);
      TlsTransport connecting =
          transports.open(2, TappedTransport.provider(TCP, SlowToldMedium::new));
      ProbeHandler server = new ProbeHandler();
      ProbeHandler client = new ProbeHandler();

      connecting.connect(listen(listening, server), client);

      assertThat(client.link().peer().nodeIds()).containsExactly(1);
      assertThat(server.link().peer().nodeIds()).containsExactly(2);
    }
  }

  /** A medium whose end the worker meets with the last that it has to say in the handshake. */
  private static final class LateWorkerMedium extends Tap {
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean greeted;

    @Override
    public boolean write(OutboundSource source) throws IOException {
      if (greeted) {
        await("the end of the medium", () -> ended.getCount() == 0);
      }
      greeted = true;
      return super.write(source);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      super.closed(cause);
      ended.countDown();
    }
  }

  /** As is common where certificates take longer to check than the peer has to say. */
  @Test
  void shouldHandOnWhatAPeerHasSaidThatLeavesBeforeItsHandshakeIsOverHere() throws IOException {
    try (TlsTransports transports = new TlsTransports(folder);
        PatternSource source = new PatternSource(1, 1000)) {
      TlsTransport listening =
          transports.open(1, TappedTransport.provider(TCP, LateWorkerMedium::new));
      ProbeHandler server = new ProbeHandler();
      ProbeHandler client = new ProbeHandler();
      transports.open(2).connect(listen(listening, server), client);
      source.offer(client.link(), 1000);
      client.link().close();

      assertThat(server.cause()).isNull();
      assertThat(server.received()).isEqualTo(1000);
    }
  }
}
