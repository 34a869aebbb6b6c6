package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeConfig;
import org.ringwire.NodeUnreachableException;
import org.ringwire.WaitInterruptedException;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.Incarnation;
import org.ringwire.wire.Limits;
import org.ringwire.wire.Welcome;

/** Nodes that know an address and not who is there. */
@ExtendWith(NodeWatcher.class)
class ConnectTest {

  record Ask(long number) {}

  /** A node that knows no other. */
  private static Node stranger(String transport, int id) {
    return Node.open(NodeConfig.builder(id).transport(transport).build());
  }

  private static void answer(Node node) {
    node.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
  }

  private static void assertAnswers(Node from, int to) {
    assertThat(from.request(to, new Ask(7), Ask.class, PATIENCE)).isEqualTo(new Ask(7));
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldLearnWhoIsAtAnAddress(String transport) {
    try (TestNodes nodes = new TestNodes(transport);
        Node stranger = stranger(transport, 900)) {
      for (int id : new int[] {0, 5, 65_535}) {
        Node node = nodes.open(id);
        answer(node);
        String address = String.valueOf(node.address());
        assertThat(stranger.connect(address, PATIENCE)).isEqualTo(id);
        assertAnswers(stranger, id);
        assertThat(stranger.connect(address, PATIENCE)).as("it is connected").isEqualTo(id);
        assertAnswers(stranger, id);
        assertThat(stranger.metrics().connectionsLost()).isZero();
        assertThat(node.metrics().connectionsLost()).isZero();
        assertThat(node.metrics().handshakesRefused()).isZero();
        assertThat(node.connect(address, PATIENCE)).as("itself").isEqualTo(id);
      }
      assertThat(stranger.metrics().connections()).hasSize(3);
    }
  }

  @Test
  void shouldFindTheNodeAgainAfterTheConnectionWasLost() {
    try (TestNodes nodes = new TestNodes("tcp");
        Node stranger = stranger("tcp", 900)) {
      Node first = nodes.open(5);
      answer(first);
      String address = String.valueOf(first.address());
      assertThat(stranger.connect(address, PATIENCE)).isEqualTo(5);
      first.close();
      await("the end", () -> stranger.metrics().connections().isEmpty());
      Node second = nodes.open(5, settings -> settings.listen(address));
      answer(second);
      await(
          "an answer of the new life",
          () -> {
            try {
              return stranger.request(5, new Ask(1), Ask.class, PATIENCE).number() == 1;
            } catch (org.ringwire.MessagingException e) {
              return false; // while it backs off
            }
          });
    }
  }

  @Test
  void shouldDisturbNobodyWhoIsConnected() throws InterruptedException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      AtomicLong next = new AtomicLong();
      Queue<Long> wrong = new ConcurrentLinkedQueue<>();
      one.handle(
          Ask.class,
          Dispatch.POOLED.inOrder(),
          (ask, exchange) -> {
            if (ask.number() != next.getAndIncrement()) {
              wrong.add(ask.number());
            }
          });
      Node two = nodes.open(2);
      CountDownLatch done = new CountDownLatch(1);
      long messages = 20_000;
      Thread sender =
          Thread.ofPlatform()
              .start(() -> {
                for (long number = 0; number < messages; number++) {
                  two.send(1, new Ask(number));
                }
                done.countDown();
              });
      int asked = 0;
      do {
        assertThat(two.connect(String.valueOf(one.address()), PATIENCE)).isEqualTo(1);
        asked++;
      } while (!done.await(1, TimeUnit.MILLISECONDS));
      sender.join();
      await("all messages", () -> next.get() == messages);
      assertThat(asked).isPositive();
      assertThat(wrong).isEmpty();
      assertThat(two.metrics().connectionsLost()).isZero();
    }
  }

  @Test
  void shouldSayWhyNobodyAnswers() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp");
        Node stranger = stranger("tcp", 900);
        ServerSocket silent = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      String address = "127.0.0.1:" + silent.getLocalPort();
      assertThatThrownBy(() -> stranger.connect(address, Duration.ofMillis(100)))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("address=" + address)
          .hasMessageContaining("no answer in time");
      assertThatThrownBy(() -> stranger.connect("127.0.0.1:1", PATIENCE))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("address=127.0.0.1:1");
      Node foreign = nodes.open(3, settings -> settings.cluster("another"));
      assertThatThrownBy(() -> stranger.connect(String.valueOf(foreign.address()), PATIENCE))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("WRONG_CLUSTER");
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> stranger.connect(address, PATIENCE))
          .isInstanceOf(WaitInterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
      Node closed = stranger("tcp", 901);
      closed.close();
      assertThatThrownBy(() -> closed.connect(address, PATIENCE))
          .isInstanceOf(NodeClosedException.class);
    }
  }

  @Test
  void shouldRefuseToWaitInAnInlineHandler() throws InterruptedException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
      one.handle(
          Ask.class,
          Dispatch.INLINE,
          (ask, exchange) -> {
            try {
              one.connect(String.valueOf(one.address()), PATIENCE);
            } catch (IllegalStateException e) {
              failures.add(e);
            }
          });
      nodes.open(2).send(1, new Ask(1));
      await("the refusal", () -> failures.size() == 1);
      assertThat(failures.element()).hasMessageContaining("inline handler");
    }
  }

  @Test
  void shouldAnswerAnInquiryAndClose() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      try (RawPeer peer = RawPeer.connect(one)) {
        peer.send(inquiry().encode());
        RawPeer.Frame answer = peer.await(FrameLayout.WELCOME);
        Welcome welcome =
            Welcome.parse(answer.memory(), 0, FrameLayout.readHeader(answer.memory(), 0));
        assertThat(welcome.nodeId()).isEqualTo(1);
        assertThat(welcome.limits().initialWindow()).isZero();
        peer.awaitEnd();
      }
      assertThat(one.metrics().connections()).isEmpty();
      assertThat(one.metrics().handshakesRefused()).isZero();
    }
  }

  private static Hello inquiry() {
    return new Hello(
        Handshake.VERSION,
        Handshake.VERSION,
        0,
        "default",
        77,
        Handshake.ANY_NODE,
        new Incarnation(5, 5),
        Incarnation.UNKNOWN,
        false,
        false,
        true,
        Handshake.NO_AUTHENTICATION,
        null,
        new Limits(1 << 20, 0, 0),
        java.util.List.of());
  }
}
