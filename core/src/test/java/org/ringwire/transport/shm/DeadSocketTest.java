package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Threads;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** Who takes the place of a socket that a killed process has left behind. */
@ExtendWith(NodeWatcher.class)
class DeadSocketTest {

  private static final int ROUNDS = 100;
  private static final long TIMEOUT_S = 60;

  @TempDir private Path temporary;

  private static Transport open() {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
    return new ShmTransportProvider().open(config);
  }

  /** As a process that was killed an hour after it had begun to listen. */
  private static void leave(Path socket) throws IOException {
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    long oldMs = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    Files.setLastModifiedTime(socket, FileTime.fromMillis(oldMs));
  }

  /** A node that nobody reaches, as another one has removed its socket, would never know. */
  @Test
  void shouldLetOneListenOfThoseThatFindItAtTheSameTime() throws Exception {
    try (Transport one = open();
        Transport two = open()) {
      for (int round = 0; round < ROUNDS; round++) {
        Path socket = temporary.resolve("socket-" + round);
        leave(socket);
        assertThat(listenAtOnce(List.of(one, two), socket)).as("round %d", round).isEqualTo(1);
        assertThatCode(() -> SocketChannel.open(UnixDomainSocketAddress.of(socket)).close())
            .as("round %d", round)
            .doesNotThrowAnyException();
        one.stopListening();
        two.stopListening();
        assertThat(temporary).isEmptyDirectory();
      }
    }
  }

  @Test
  void shouldRemoveTheOneThatItHasFound() throws IOException {
    Path socket = temporary.resolve("socket");
    leave(socket);
    DeadSocket found = Objects.requireNonNull(DeadSocket.find(socket));
    found.remove();
    assertThat(temporary).isEmptyDirectory();
    found.remove(); // another one was faster
    assertThat(DeadSocket.find(socket)).isNull();
  }

  @Test
  void shouldRemoveItThoughAnotherWasKilledWhichWasAboutTo() throws IOException {
    Path socket = temporary.resolve("socket");
    leave(socket);
    DeadSocket found = Objects.requireNonNull(DeadSocket.find(socket));
    Files.createLink(found.claim(), socket);
    found.remove();
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void shouldLeaveWhatAnotherHasPutInItsPlace() throws IOException {
    Path socket = temporary.resolve("socket");
    leave(socket);
    DeadSocket found = Objects.requireNonNull(DeadSocket.find(socket));
    try (Transport other = open()) {
      String _ = other.listen(socket.toString(), remote -> null);
      found.remove();
      assertThatCode(() -> SocketChannel.open(UnixDomainSocketAddress.of(socket)).close())
          .doesNotThrowAnyException();
      assertThat(temporary).isDirectoryNotContaining("glob:**gone**");
    }
    assertThat(temporary).isEmptyDirectory(); // it is still its own
  }

  /** A process binds a path first, and listens there a moment later. */
  @Test
  void shouldWaitForOneWhoIsAboutToListen() throws Exception {
    Path socket = temporary.resolve("socket");
    try (SocketChannel bound = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      bound.bind(UnixDomainSocketAddress.of(socket));
      assertThatThrownBy(() -> SocketChannel.open(UnixDomainSocketAddress.of(socket)))
          .isInstanceOf(ConnectException.class);
      Threads threads = new Threads();
      AtomicReference<@Nullable DeadSocket> found = new AtomicReference<>();
      Thread looking = threads.start(() -> found.set(DeadSocket.find(socket, PATIENCE.toNanos())));
      await("the wait", () -> LockSupport.getBlocker(looking) != null);
      Files.delete(socket); // as nobody can listen with a channel of the JDK that was bound so
      try (Transport other = open()) {
        String _ = other.listen(socket.toString(), remote -> null);
        threads.join();
        assertThat(found.get()).isNull();
      }
    }
  }

  /** How many of them do. */
  private static int listenAtOnce(List<Transport> transports, Path socket)
      throws InterruptedException {
    AtomicInteger listening = new AtomicInteger();
    CyclicBarrier begin = new CyclicBarrier(transports.size());
    Threads threads = new Threads();
    for (Transport transport : transports) {
      threads.start(() -> {
        begin.await(TIMEOUT_S, TimeUnit.SECONDS);
        try {
          String _ = transport.listen(socket.toString(), remote -> null);
          listening.incrementAndGet();
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("cannot listen: address=" + socket);
        }
      });
    }
    threads.join();
    return listening.get();
  }
}
