package org.ringwire.transport.shm;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.FullHeap;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/**
 * Connects to where nobody listens while there is ever more heap, from none at all; says whether
 * there are more descriptors at the end.
 */
final class LostAttemptsProgram {

  private static final int MOST = 3_000;
  private static final int STEP = 32;

  /** The JDK loses one itself if there is heap for all but the object of what it has opened. */
  private static final int LOST_BY_JDK = 2;

  private static final long MOMENT_NS = 500_000_000;
  private static final byte[] NOTHING = {};

  private static final AtomicInteger BEGUN = new AtomicInteger();
  private static final AtomicInteger ENDED = new AtomicInteger();

  private LostAttemptsProgram() {}

  private static final class End extends Ignoring {
    @Override
    public void closed(@Nullable Throwable cause) {
      ENDED.incrementAndGet();
    }
  }

  public static void main(String[] args) throws IOException {
    Path socket = Path.of(System.getProperty("socket"));
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
    try (Transport transport = new ShmTransportProvider().open(config)) {
      connect(transport, socket);
      Awaiting.await("ended", () -> ENDED.get() >= BEGUN.get());
      long before = descriptors();
      for (int bytes = 0; bytes < MOST; bytes += STEP) {
        byte[][] room = {new byte[bytes]};
        FullHeap.fill();
        room[0] = NOTHING;
        connect(transport, socket);
        spinUntilEnded();
        FullHeap.empty();
        Awaiting.await("ended", () -> ENDED.get() >= BEGUN.get());
      }
      System.out.println("begun: " + (BEGUN.get() > 2));
      long left = descriptors() - before;
      System.out.println(left <= LOST_BY_JDK ? "left: none" : "left: " + left);
    }
  }

  private static void connect(Transport transport, Path socket) {
    try {
      transport.connect(socket.toString(), new End());
      BEGUN.incrementAndGet();
    } catch (OutOfMemoryError e) {
      // it was not begun
    }
  }

  /** Or for a moment: it may lack heap for its end, too. */
  private static void spinUntilEnded() {
    long beganNs = System.nanoTime();
    while (ENDED.get() < BEGUN.get() && System.nanoTime() - beganNs < MOMENT_NS) {
      Thread.onSpinWait();
    }
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }
}
