package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;
import static org.ringwire.transport.tls.TlsTransports.TCP;
import static org.ringwire.transport.tls.TlsTransports.listen;
import static org.ringwire.transport.tls.TlsTransports.socket;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;
import org.ringwire.transport.Threads;

/** Peers that send more than this side has worked on before their link is open. */
@ExtendWith(NodeWatcher.class)
class TlsFloodTest {

  private static final int MUCH = 4_000_000;

  @TempDir private Path folder;

  private final AtomicLong read = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();

  /** Looks at what a medium reads. */
  private final class CountingMedium extends Tap {

    @Override
    public @Nullable ByteBuffer destination() {
      ByteBuffer destination = handler().destination();
      if (destination != null && !destination.hasRemaining()) {
        stopped.set(true);
      }
      return destination;
    }

    @Override
    public void receivedInDestination(int length) {
      read.addAndGet(length);
      handler().receivedInDestination(length);
    }
  }

  private TlsTransport counting(TlsTransports transports) {
    return transports.open(1, TappedTransport.provider(TCP, CountingMedium::new));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      assertThat(latch.await(TestNodes.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldKeepLittleOfAFloodWhileTheWorkersAreBusy() throws Exception {
    ProbeHandler server = new ProbeHandler();
    Threads threads = new Threads();
    CountDownLatch busy = new CountDownLatch(1);
    try (TlsTransports transports = new TlsTransports(folder)) {
      TlsTransport listening = counting(transports);
      String address = listen(listening, server);
      for (int i = 0; i < 4; i++) { // all that there are
        assertThat(listening.execute(() -> awaitUninterruptibly(busy))).isTrue();
      }
      try (Socket socket = socket(address)) {
        threads.start(() -> flood(socket));
        await("the medium stops", stopped::get);

        assertThat(read.get()).isEqualTo(HandshakeStrand.MAX_KEPT);
        busy.countDown();
        assertThat(server.cause()).hasMessageContaining("the peer sends more than a handshake");
      }
      threads.join();
    }
    assertThat(server.isOpened()).isFalse();
  }

  private static void flood(Socket socket) throws IOException {
    byte[] cancellation = {21, 3, 3, 0, 2, 1, 90}; // the engine ignores it
    byte[] records = new byte[cancellation.length * 500_000];
    for (int i = 0; i < records.length; i++) {
      records[i] = cancellation[i % cancellation.length];
    }
    try {
      socket.getOutputStream().write(records);
    } catch (SocketException e) {
      // the other side has had enough
    }
  }

  /** The worker, which opens the link, goes on when the medium was told that there is no room. */
  @Test
  void shouldServeAPeerThatSendsMuchRightBehindTheHandshake() throws IOException {
    AtomicLong readBefore = new AtomicLong();
    ProbeHandler server =
        new ProbeHandler() {
          @Override
          public void opened(Link link) {
            super.opened(link);
            await("the medium stops", stopped::get);
            readBefore.set(read.get());
          }
        };
    try (PatternSource source = new PatternSource(1, 60_000);
        TlsTransports transports = new TlsTransports(folder)) {
      ProbeHandler client =
          new ProbeHandler() {
            @Override
            protected void resume() {
              source.resume(link());
            }
          };
      transports.open(2).connect(listen(counting(transports), server), client);
      source.offer(client.link(), MUCH);
      source.awaitSent();

      server.awaitReceived(MUCH);
      assertThat(readBefore.get())
          .as("the handshake, what the worker was at, and what was kept")
          .isLessThan(3 * HandshakeStrand.MAX_KEPT);
    }
  }
}
