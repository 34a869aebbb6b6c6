package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;

/** A transport whose workers are at something else, and do not leave. */
@ExtendWith(NodeWatcher.class)
class TlsBusyWorkersTest {

  private static final int WORKERS = 4; // at most
  private static final Duration SOON = Duration.ofMillis(200);

  @TempDir private Path folder;

  @Test
  void shouldTellTheEndOfALinkThatHasWaitedForAWorker() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    ProbeHandler handler = new ProbeHandler();
    try (TlsTransports transports = new TlsTransports(folder);
        ServerSocket peer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      TlsTransport transport = transports.open(1);
      keepWorkers(transport, released);
      transport.connect("127.0.0.1:" + peer.getLocalPort(), handler);
      await("the link waits for a worker", () -> transport.links() == 1);
      transport.close();

      assertThat(handler.cause()).isNull();
      assertThat(handler.isOpened()).isFalse();
      assertThat(transport.links()).isZero();
    } finally {
      released.countDown();
    }
  }

  /** Neither an attempt of this side nor the place of a peer's link is kept for longer. */
  @Test
  void shouldEndHandshakesInTimeThoughNoWorkerComes() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    ProbeHandler client = new ProbeHandler();
    ProbeHandler server = new ProbeHandler();
    try (TlsTransports transports = new TlsTransports(folder);
        ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      TlsTransport transport = transports.open(1, SOON);
      String address = TlsTransports.listen(transport, server);
      keepWorkers(transport, released);
      transport.connect("127.0.0.1:" + silent.getLocalPort(), client);
      try (Socket _ = TlsTransports.socket(address)) {
        assertThat(client.cause()).hasMessageContaining("the handshake was not over in time");
        assertThat(server.cause()).hasMessageContaining("the handshake was not over in time");
        assertThat(transport.links()).isZero();
      }
    } finally {
      released.countDown();
    }
  }

  /** The medium tells of its end once, and the worker that was to tell it on never comes. */
  @Test
  void shouldTellTheEndOfAPeerThatHasGivenUpBeforeAWorkerHasCome() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    ProbeHandler server = new ProbeHandler();
    try (TlsTransports transports = new TlsTransports(folder)) {
      TlsTransport transport = transports.open(1, SOON);
      String address = TlsTransports.listen(transport, server);
      keepWorkers(transport, released);
      TlsTransports.socket(address).close();

      assertThat(server.cause()).hasMessageContaining("the handshake was not over in time");
      assertThat(transport.links()).isZero();
    } finally {
      released.countDown();
    }
  }

  /** It has the lock of its engine for as long as that takes, and who says farewell needs it. */
  @Test
  void shouldCloseThoughAWorkerIsInACheckOfACertificate() throws Exception {
    ProbeHandler client = new ProbeHandler();
    try (TlsTransports transports = new TlsTransports(folder)) {
      String address = TlsTransports.listen(transports.open(1), new ProbeHandler());
      TlsTransport transport = transports.open(2);
      try (SlowCertificateChecks checks = new SlowCertificateChecks()) {
        transport.connect(address, client);
        checks.awaitBegin();
        Thread closer = Thread.ofPlatform().start(transport::close);
        await("the end of the close", () -> !closer.isAlive());
      }
      assertThat(client.cause()).isNull();
      assertThat(client.isOpened()).isFalse();
    }
  }

  @Test
  void shouldWaitNoLongerForAPeerThatTakesNoFarewell() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    ProbeHandler client = new ProbeHandler();
    ProbeHandler server = new ProbeHandler();
    Stalling medium = new Stalling();
    try (TlsTransports transports = new TlsTransports(folder)) {
      String address = TlsTransports.listen(transports.open(1), server);
      TlsTransport transport =
          transports.open(2, TappedTransport.provider(TlsTransports.TCP, () -> medium));
      transport.connect(address, client);
      client.link();
      server.link();
      keepWorkers(transport, released);
      medium.stalls = true;
      client.link().close();

      assertThat(client.cause()).isNull();
    } finally {
      released.countDown();
    }
  }

  /** A medium that takes nothing, when told so. */
  private static final class Stalling extends Tap {
    volatile boolean stalls;

    @Override
    public boolean write(OutboundSource source) throws IOException {
      return !stalls && super.write(source);
    }
  }

  private static void keepWorkers(TlsTransport transport, CountDownLatch released) {
    for (int i = 0; i < WORKERS; i++) {
      assertThat(transport.execute(() -> awaitRelease(released))).isTrue();
    }
  }

  /** As who waits for a disk that does not answer: an interrupt does not end it. */
  private static void awaitRelease(CountDownLatch released) {
    await("the end of the test", () -> released.getCount() == 0);
  }
}
