package org.ringwire.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.ring.NativeMemory;
import org.ringwire.testing.Ignoring;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Resources;
import org.ringwire.transport.Threads;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

@ExtendWith(NodeWatcher.class)
class TcpTransportTest {

  private static final long FAR_NS = TimeUnit.SECONDS.toNanos(30);

  private final Resources resources = new Resources();

  @AfterEach
  void closeEverything() throws Exception {
    resources.close();
    assertThat(NativeMemory.openOwners()).doesNotContain("read buffer of a transport");
  }

  private Transport open(int nodeId) {
    return open(nodeId, Duration.ofSeconds(30));
  }

  private Transport open(int nodeId, Duration connectTimeout) {
    TransportConfig config =
        new TransportConfig(nodeId, 1, IdleStrategy.parking(), 1 << 20, connectTimeout);
    return resources.closing(new TcpTransportProvider().open(config));
  }

  private static int port(String address) {
    return TcpAddress.parse(address).port();
  }

  private static ProbeHandler sending(PatternSource source) {
    return new ProbeHandler() {
      @Override
      protected void resume() {
        source.resume(link());
      }
    };
  }

  /** A link to a plain socket. */
  private Socket acceptPlain(ProbeHandler client) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
      open(2).connect("127.0.0.1:" + listener.getLocalPort(), client);
      return resources.closing(listener.accept());
    }
  }

  /** The node counts a handshake from when it accepts until it hears of the end. */
  @Test
  void shouldTellTheHandlerThatAnAcceptedLinkCannotBeMade() throws IOException {
    ProbeHandler handler = new ProbeHandler();
    try (SocketChannel channel = SocketChannel.open()) {
      assertThatThrownBy(() -> TcpLink.accepted(null, channel, "peer", handler))
          .isInstanceOf(NullPointerException.class); // as it is for want of heap
    }
    assertThat(handler.cause()).isInstanceOf(NullPointerException.class);
  }

  /** A thousand times, as others open descriptors, too. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldLetGoOfThePortWhereThereCanBeNoListener() throws IOException {
    TcpAddress address = TcpAddress.parse("127.0.0.1:0");
    int before = descriptors();
    for (int i = 0; i < 1000; i++) {
      assertThatThrownBy(() -> TcpListener.bind(null, null, address, remote -> null))
          .isInstanceOf(NullPointerException.class); // as it is for want of heap
    }
    assertThat(descriptors() - before).isLessThan(500);
  }

  private static int descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return (int) open.count();
    }
  }

  @Test
  void shouldNameHostThatIsUnknown() {
    ProbeHandler client = new ProbeHandler();
    open(2).connect("no-such-host.invalid:80", client);
    assertThat(client.cause()).hasMessageContaining("address=no-such-host.invalid:80");
  }

  @Test
  void shouldRefuseToConnectToMalformedAddressOrPortZero() {
    for (String address : List.of("nonsense", "127.0.0.1:0")) {
      ProbeHandler client = new ProbeHandler();
      open(2).connect(address, client);
      assertThat(client.cause()).hasMessageContaining("address=" + address);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX) // a full backlog drops what comes
  void shouldGiveUpConnectingAfterTimeout() throws IOException {
    ServerSocket full =
        resources.closing(new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")));
    for (int i = 0; i < 8; i++) {
      SocketChannel filler = resources.closing(SocketChannel.open());
      filler.configureBlocking(false);
      filler.connect(full.getLocalSocketAddress());
    }
    ProbeHandler client = new ProbeHandler();
    open(2, Duration.ofMillis(150)).connect("127.0.0.1:" + full.getLocalPort(), client);
    assertThat(client.cause())
        .hasMessageContaining("address=127.0.0.1:" + full.getLocalPort())
        .hasMessageContaining("no answer within 150 ms");
    assertThat(client.isOpened()).isFalse();
  }

  @Test
  void shouldSayWhyAddressCannotBeBound() throws IOException {
    assertThatThrownBy(() -> open(1).listen("192.0.2.1:0", remote -> null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen: address=192.0.2.1:0")
        .hasMessageContaining("must be an address of this machine");
    int port = port(open(1).listen("127.0.0.1:0", remote -> null));
    assertThatThrownBy(() -> open(2).listen("127.0.0.1:" + port, remote -> null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("address=127.0.0.1:" + port)
        .hasMessageContaining("the port is in use");
  }

  @Test
  @EnabledOnOs(OS.LINUX) // where all of 127.0.0.0/8 is this machine
  void shouldBindWhatIsConfiguredAndNothingElse() throws IOException {
    int port = port(open(1).listen("127.0.0.1:0", remote -> new ProbeHandler()));
    assertThatThrownBy(() -> new Socket("127.0.0.2", port)).isInstanceOf(ConnectException.class);
    int anyPort = port(open(2).listen("0.0.0.0:0", remote -> new ProbeHandler()));
    new Socket("127.0.0.2", anyPort).close();
    assertThatThrownBy(() -> new Socket("::1", anyPort)).isInstanceOf(IOException.class);
  }

  @Test
  void shouldReportFullMediumAndThenWritableOnce() throws IOException {
    PatternSource source = resources.closing(new PatternSource(4, 50_000));
    ProbeHandler client = sending(source);
    Socket peer = acceptPlain(client); // which does not read
    long bytes = 40_000_000;
    source.offer(client.link(), bytes);
    assertThat(source.isBlocked()).isTrue();
    assertThat(client.writables()).isZero();
    assertThat(client.isClosed()).isFalse();
    long sent = source.sent();
    assertThat(sent).isLessThan(bytes);
    InputStream input = peer.getInputStream();
    byte[] buffer = new byte[100_000];
    long position = 0;
    while (position < bytes) {
      int length = input.read(buffer);
      for (int i = 0; i < length; i++) {
        if (buffer[i] != PatternSource.at(position + i)) {
          throw new AssertionError("wrong byte at " + (position + i));
        }
      }
      position += length;
    }
    source.awaitSent();
    assertThat(client.writables()).isPositive();
  }

  @Test
  void shouldTellThatPeerWasReset() throws IOException {
    ProbeHandler client = new ProbeHandler();
    Socket peer = acceptPlain(client);
    client.link();
    peer.setSoLinger(true, 0);
    peer.close();
    assertThat(client.cause())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("link broken: remote=127.0.0.1:");
  }

  @Test
  void shouldCloseWhenPeerShutsItsOutputDown() throws IOException {
    ProbeHandler client = new ProbeHandler();
    Socket peer = acceptPlain(client);
    client.link();
    peer.getOutputStream().write(PatternSource.at(0));
    peer.shutdownOutput();
    assertThat(client.cause()).isNull();
    assertThat(client.received()).isEqualTo(1);
    assertThat(peer.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void shouldReadLastWordsOfPeerThatTakesNoMore() throws IOException {
    PatternSource source = resources.closing(new PatternSource(1, 1000));
    ProbeHandler client = new ProbeHandler();
    Socket peer = acceptPlain(client);
    Link link = client.link();
    byte[] words = new byte[5000];
    for (int i = 0; i < words.length; i++) {
      words[i] = PatternSource.at(i);
    }
    source.offer(link, 10_000); // unread at the peer, so that its close resets the connection
    peer.getOutputStream().write(words);
    peer.close();
    long endNs = System.nanoTime() + FAR_NS;
    while (!client.isClosed() && System.nanoTime() - endNs < 0) {
      try {
        source.offer(link, 10);
      } catch (IOException e) {
        link.close();
      }
    }
    client.cause();
    assertThat(client.received()).isEqualTo(words.length);
  }

  @Test
  void shouldGiveNoMoreInputToHandlerThatFailed() throws Exception {
    PatternSource source = resources.closing(new PatternSource(1, 1000));
    AtomicInteger inputs = new AtomicInteger();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch reset = new CountDownLatch(1);
    ProbeHandler client =
        new ProbeHandler() {
          @Override
          protected void input(MemorySegment memory, long offset, long length) throws Exception {
            inputs.incrementAndGet();
            entered.countDown();
            reset.await();
            long endNs = System.nanoTime() + FAR_NS;
            while (System.nanoTime() - endNs < 0) {
              source.offer(link(), 10); // fails once the reset is known
            }
          }
        };
    Socket peer = acceptPlain(client);
    client.link();
    peer.getOutputStream().write(PatternSource.at(0));
    assertThat(entered.await(FAR_NS, TimeUnit.NANOSECONDS)).isTrue();
    peer.getOutputStream().write(PatternSource.at(1)); // unread when the link ends
    peer.setSoLinger(true, 0);
    peer.close();
    reset.countDown();
    assertThat(client.cause()).hasMessageContaining("link broken");
    assertThat(inputs).hasValue(1);
  }

  @Test
  void shouldDeliverEverythingAlthoughPeerStillSends() throws Exception {
    PatternSource source = resources.closing(new PatternSource(1, 60_000));
    ProbeHandler client = sending(source);
    Socket peer = acceptPlain(client);
    Link link = client.link();
    Threads threads = new Threads();
    threads.start(() -> {
      OutputStream output = peer.getOutputStream();
      long position = 0;
      byte[] piece = new byte[10_000];
      try {
        while (true) {
          for (int i = 0; i < piece.length; i++) {
            piece[i] = PatternSource.at(position++);
          }
          output.write(piece);
        }
      } catch (IOException e) {
        // the link closed in the end
      }
    });
    client.awaitReceived(100_000);
    AtomicLong got = new AtomicLong();
    threads.start(() -> {
      InputStream input = peer.getInputStream();
      byte[] buffer = new byte[100_000];
      for (int length = input.read(buffer); length > 0; length = input.read(buffer)) {
        got.addAndGet(length);
      }
      peer.close();
    });
    source.offer(link, 5_000_000);
    source.awaitSent();
    link.close();
    assertThat(client.cause()).isNull();
    threads.join();
    assertThat(got.get()).isEqualTo(5_000_000);
  }

  @Test
  void shouldReadStraightIntoDestination() throws IOException {
    ByteBuffer destination = ByteBuffer.allocateDirect(1_000_000);
    ProbeHandler server =
        new ProbeHandler() {
          private boolean wanted;

          @Override
          protected void input(MemorySegment memory, long offset, long length) {
            wanted = true; // as if this were the header of a large frame
          }

          @Override
          public ByteBuffer destination() {
            return wanted && destination.hasRemaining() ? destination : null;
          }

          @Override
          public void receivedInDestination(int length) {
            MemorySegment all = MemorySegment.ofBuffer(destination.duplicate().clear());
            super.received(all, destination.position() - (long) length, length);
          }
        };
    PatternSource source = resources.closing(new PatternSource(1, 60_000));
    ProbeHandler client = sending(source);
    open(2).connect(open(1).listen("127.0.0.1:0", remote -> server), client);
    source.offer(client.link(), 10);
    server.awaitReceived(10);
    source.offer(client.link(), 1_500_000);
    server.awaitReceived(1_500_010);
    assertThat(destination.hasRemaining()).isFalse();
  }

  /** Rule 11: interrupts neither close a channel nor lose anything, for writers and leaders. */
  @Test
  void shouldSurviveMillionInterrupts() throws Exception {
    PatternSource there = resources.closing(new PatternSource(1, 1000));
    PatternSource back = resources.closing(new PatternSource(1, 1000));
    ProbeHandler server =
        new ProbeHandler() {
          @Override
          protected void input(MemorySegment memory, long offset, long length) throws IOException {
            back.offer(link(), length);
          }

          @Override
          protected void resume() {
            back.resume(link());
          }
        };
    ProbeHandler client = sending(there);
    open(2).connect(open(1).listen("127.0.0.1:0", remote -> server), client);
    Link link = client.link();
    AtomicBoolean ended = new AtomicBoolean();
    Threads threads = new Threads();
    Thread victim =
        threads.start(() -> {
          while (!ended.get()) {
            long target = client.received() + 1;
            there.offer(link, 100);
            link.lead(() -> client.received() >= target, System.nanoTime() + 1_000_000);
            Thread.interrupted();
          }
        });
    for (int i = 0; i < 1_000_000; i++) {
      victim.interrupt();
    }
    ended.set(true);
    threads.join();
    there.awaitSent();
    client.awaitReceived(there.sent());
    assertThat(client.isClosed()).isFalse();
    assertThat(server.isClosed()).isFalse();
  }

  @Test
  void shouldServeOthersDuringFloodOfHostileConnections() throws Exception {
    PatternSource source = resources.closing(new PatternSource(1, 1000));
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = sending(source);
    AtomicBoolean first = new AtomicBoolean(true);
    String address =
        open(1).listen("127.0.0.1:0", remote -> first.getAndSet(false) ? server : new Strict());
    open(2).connect(address, client);
    Link link = client.link();
    Threads threads = new Threads();
    for (int i = 0; i < 2; i++) {
      threads.start(() -> {
        for (int n = 0; n < 300; n++) {
          Socket hostile = new Socket("127.0.0.1", port(address));
          if (n % 3 > 0) {
            hostile.getOutputStream().write(new byte[n]);
          }
          hostile.setSoLinger(n % 2 == 0, 0);
          hostile.close();
        }
      });
    }
    for (int n = 0; n < 300; n++) {
      source.offer(link, 1000);
    }
    threads.join();
    server.awaitReceived(300_000);
  }

  /** Refuses every input. */
  private static final class Strict extends Ignoring {
    @Override
    public void received(MemorySegment memory, long offset, long length) {
      throw new IllegalArgumentException("not what I expected");
    }
  }

  @Test
  void shouldCostNothingWhenIdle() throws Exception {
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new ProbeHandler();
    PatternSource source = resources.closing(new PatternSource(1, 1000));
    open(2).connect(open(1).listen("127.0.0.1:0", remote -> server), client);
    Link link = client.link();
    source.offer(link, 1000);
    server.awaitReceived(1000);
    while (!link.lead(() -> true, System.nanoTime() + FAR_NS)) {
      Thread.onSpinWait();
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    List<Long> ids =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().matches("ringwire-[12]-io-0"))
            .map(Thread::threadId)
            .toList();
    assertThat(ids).hasSize(2);
    long beforeNs = ids.stream().mapToLong(threads::getThreadCpuTime).sum();
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
    while (System.nanoTime() - endNs < 0) {
      link.lead(() -> false, endNs); // this thread waits, and keeps the I/O thread away
    }
    long spentNs = ids.stream().mapToLong(threads::getThreadCpuTime).sum() - beforeNs;
    assertThat(spentNs).isLessThan(TimeUnit.MILLISECONDS.toNanos(250));
  }

  @Test
  void shouldTryEveryAddressOfHost() throws IOException {
    // localhost may be ::1 first, where nobody listens.
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new ProbeHandler();
    int port = port(open(1).listen("127.0.0.1:0", remote -> server));
    open(2).connect("localhost:" + port, client);
    client.link();
    server.link();
  }
}
