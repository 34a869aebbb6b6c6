package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ProbeHandler;

/** A transport that is closed while its workers are at something else, and do not leave. */
@ExtendWith(NodeWatcher.class)
class TlsBusyWorkersTest {

  private static final int WORKERS = 4; // at most

  @TempDir private Path folder;

  @Test
  void shouldTellTheEndOfALinkThatHasWaitedForAWorker() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    ProbeHandler handler = new ProbeHandler();
    try (TlsTransports transports = new TlsTransports(folder);
        ServerSocket peer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      TlsTransport transport = transports.open(1);
      for (int i = 0; i < WORKERS; i++) {
        assertThat(transport.execute(() -> awaitRelease(released))).isTrue();
      }
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

  /** As who waits for a disk that does not answer: an interrupt does not end it. */
  private static void awaitRelease(CountDownLatch released) {
    await("the end of the test", () -> released.getCount() == 0);
  }
}
