package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeUnreachableException;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.TransportProvider;

/**
 * Node 2 reaches node 1, and nothing is heard of the way back, as where a firewall drops what goes
 * there. Both have the same {@code connectTimeout}, and use one link before it is over.
 */
@ExtendWith(NodeWatcher.class)
class SilentWayBackTest {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  record Ask(long number) {}

  private final TestNodes nodes = new TestNodes("tcp");
  private final Queue<LinkHandler> waiting = new ConcurrentLinkedQueue<>();
  private final List<SocketChannel> fillers = new ArrayList<>();
  private Node two;

  @BeforeEach
  void openTwo() {
    two = nodes.open(2, this::settings);
    two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
  }

  @AfterEach
  void end() throws IOException {
    nodes.close();
    for (SocketChannel filler : fillers) {
      filler.close();
    }
  }

  /** What says nothing is not to be found by its silence before. */
  private NodeConfig.Builder settings(NodeConfig.Builder settings) {
    return settings.connectTimeout(CONNECT_TIMEOUT).keepAlive(Duration.ofHours(1));
  }

  /** Node 1 believes that node 2 is somewhere else. */
  private Node open(TransportProvider transport, String wayBack) {
    NodeDirectory directory = nodeId -> nodeId == 2 ? wayBack : nodes.directory().address(nodeId);
    Node one = nodes.open(1, settings -> settings(settings).peers(directory), transport);
    one.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    return one;
  }

  private void assertThatBothAsk(Node one) {
    assertThat(two.request(1, new Ask(1), Ask.class, PATIENCE)).isEqualTo(new Ask(1));
    assertThat(one.request(2, new Ask(2), Ask.class, PATIENCE)).isEqualTo(new Ask(2));
    assertThat(one.metrics().connectionEnds()).isEmpty();
    assertThat(two.metrics().connectionEnds()).isEmpty();
  }

  @Test
  @EnabledOnOs(OS.LINUX) // a full backlog drops what comes
  void shouldShareTheLinkOfThePeer() throws IOException {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      for (int i = 0; i < 8; i++) {
        SocketChannel filler = SocketChannel.open();
        fillers.add(filler);
        filler.configureBlocking(false);
        boolean _ = filler.connect(full.getLocalSocketAddress());
      }
      TransportProvider tcp = Transports.named("tcp");
      assertThatBothAsk(open(tcp, "127.0.0.1:" + full.getLocalPort()));
    }
  }

  /** Not with a window that never opens, and then lose what was accepted. */
  @Test
  void shouldShareItAlsoWhereThisSideHasBegunToConnect() throws Exception {
    Node one = open(DeafTransport.provider(waiting), DeafTransport.SILENT);
    CompletableFuture<Ask> early = one.requestAsync(2, new Ask(3), Ask.class, PATIENCE);
    await("the attempt", () -> !waiting.isEmpty());

    assertThatBothAsk(one);
    assertThat(early.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Ask(3));
  }

  /** It gives up each time before this side does, and comes again. */
  @Test
  void shouldShareItAlsoWhereThePeerHasLessTime() {
    two.close();
    two =
        nodes.open(2, settings -> settings(settings).connectTimeout(CONNECT_TIMEOUT.dividedBy(3)));
    two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    Node one = open(DeafTransport.provider(waiting), DeafTransport.SILENT);
    await("it is let in", () -> isAnswered(two));

    assertThatBothAsk(one);
  }

  private static boolean isAnswered(Node node) {
    try {
      return node.request(1, new Ask(1), Ask.class, PATIENCE).number() == 1;
    } catch (NodeUnreachableException e) {
      return false; // not this time
    }
  }

  @Test
  void shouldSayNothingOverALinkBackThatComesAfterwards() throws InterruptedException {
    Node one = open(DeafTransport.provider(waiting), DeafTransport.SILENT);
    assertThatBothAsk(one);

    DeafTransport.comeLate(waiting.remove(), two);

    assertThatBothAsk(one);
  }

  /** As a balancer does, a service of another kind, or a process that is stopped. */
  @Test
  void shouldShareItAlsoWhereSomethingTakesTheWayBackAndSaysNothing() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      assertThatBothAsk(open(Transports.named("tcp"), "127.0.0.1:" + mute.getLocalPort()));
    }
  }

  /** Nobody waits for it again. */
  @Test
  void shouldShareItAtOnceWhereTheWayBackWasSilentJustNow() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Node one = open(Transports.named("tcp"), "127.0.0.1:" + mute.getLocalPort());
      assertThatBothAsk(one);
      assertThat(one.metrics().connectAttempts()).isOne();
      two.close();
      await("the end", () -> one.metrics().connectionEnds().containsKey("PEER_CLOSED"));

      two = nodes.open(2, this::settings);
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      assertThat(two.request(1, new Ask(1), Ask.class, PATIENCE)).isEqualTo(new Ask(1));
      assertThat(one.request(2, new Ask(2), Ask.class, PATIENCE)).isEqualTo(new Ask(2));
      assertThat(one.metrics().connectAttempts()).as("links that node 1 has begun").isOne();
    }
  }

  /** The HELLO of this side has gone there by then, and that of the peer is answered. */
  @Test
  void shouldShareItAlsoWhereSomethingMuteHasTakenWhatThisSideHasBegun() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Node one = open(Transports.named("tcp"), "127.0.0.1:" + mute.getLocalPort());
      CompletableFuture<Ask> early = one.requestAsync(2, new Ask(3), Ask.class, PATIENCE);
      try (Socket taken = mute.accept()) {
        assertThat(taken.getInputStream().read()).as("of the HELLO").isNotNegative();

        assertThatBothAsk(one);
        assertThat(early.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Ask(3));
      }
    }
  }

  /** Nobody hears of an end. */
  @Test
  void shouldShareItAlsoWhereSomethingClosesWhatThisSideHasBegun() throws Exception {
    try (ServerSocket closing = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Node one = open(Transports.named("tcp"), "127.0.0.1:" + closing.getLocalPort());
      CompletableFuture<Ask> early = one.requestAsync(2, new Ask(3), Ask.class, PATIENCE);
      CompletableFuture<Ask> asked;
      try (Socket taken = closing.accept()) {
        assertThat(taken.getInputStream().read()).as("of the HELLO").isNotNegative();
        asked = two.requestAsync(1, new Ask(4), Ask.class, PATIENCE);
        await("its connection", () -> ((MessagingNode) two).connections().get(1) != null);
        Connection connection = Objects.requireNonNull(((MessagingNode) two).connections().get(1));
        await(
            "an answer to the HELLO of node 2",
            () -> connection.state() != ConnectionState.CONNECTING);
      }
      assertThatBothAsk(one);
      assertThat(early.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Ask(3));
      assertThat(asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Ask(4));
    }
  }

  /**
   * Its HELLO has come by then: its end ends nothing. For one that comes afterwards see {@link
   * LateLinkBackTest}.
   */
  @Test
  void shouldStayConnectedWhereALinkBackIsSlow() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    try (ServerSocket slow = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      FutureTask<Integer> relay = new FutureTask<>(() -> relay(slow, goOn));
      Thread.ofVirtual().start(relay);
      Node one = open(Transports.named("tcp"), "127.0.0.1:" + slow.getLocalPort());
      assertThatBothAsk(one);

      goOn.countDown();
      assertThat(relay.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("bytes").isPositive();

      assertThatBothAsk(one);
    }
  }

  /** Hands on what node 1 says first, and then the end, and nothing of what node 2 answers. */
  private int relay(ServerSocket from, CountDownLatch goOn) throws Exception {
    String address = String.valueOf(two.address());
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    byte[] bytes = new byte[1 << 16];
    try (Socket in = from.accept();
        Socket out = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      int length = in.getInputStream().read(bytes);
      out.getOutputStream().write(bytes, 0, length);
      assertThat(goOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      while (out.getInputStream().read() >= 0) {
        // until node 2 has let go of it
      }
      return length;
    }
  }
}
