package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.MulticastResult;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.NodeUnreachableException;
import org.ringwire.SendStatus;
import org.ringwire.WaitInterruptedException;
import org.ringwire.codec.Codec;
import org.ringwire.codec.Message;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.TypeAnnouncement;

/** The rules 11 to 18 of the design, on nodes that meet; docs/rules.md lists all. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class PeerRulesTest {

  private static final int PEER = 600;

  record Ask(long number) {}

  record Event(long number) {}

  record Late(long number) {}

  @Message(name = "point")
  record OldPoint(int x, int y) {}

  @Message(name = "point")
  record NewPoint(int x, long y) {}

  // 11

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldLoseNothingToInterrupts(String transport) throws InterruptedException {
    Set<Long> handled = java.util.concurrent.ConcurrentHashMap.newKeySet();
    Set<Long> accepted = java.util.concurrent.ConcurrentHashMap.newKeySet();
    AtomicLong interrupts = new AtomicLong();
    AtomicBoolean stop = new AtomicBoolean();
    int perThread = 3000;
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      two.handle(Event.class, (event, exchange) -> handled.add(event.number()));
      two.handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(ask));
      List<Thread> threads = new ArrayList<>();
      Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
      one.send(2, new Event(-1));
      for (int thread = 0; thread < 4; thread++) {
        long base = (long) thread * perThread;
        Runnable body =
            () -> {
              for (long number = base; number < base + perThread; number++) {
                try {
                  one.send(2, new Event(number));
                  accepted.add(number);
                  if (number % 4 == 0) {
                    assertThat(one.request(2, new Ask(number), Ask.class, PATIENCE).number())
                        .isEqualTo(number);
                  }
                } catch (WaitInterruptedException e) {
                  assertThat(Thread.interrupted()).isTrue();
                } catch (RuntimeException | AssertionError e) {
                  failures.add(e);
                }
              }
            };
        threads.add(
            thread % 2 == 0 ? Thread.ofPlatform().start(body) : Thread.ofVirtual().start(body));
      }
      Thread interrupter =
          Thread.ofPlatform()
              .start(() -> {
                while (!stop.get()) {
                  for (Thread thread : threads) {
                    thread.interrupt();
                    interrupts.incrementAndGet();
                  }
                  Thread.onSpinWait();
                }
              });
      for (Thread thread : threads) {
        assertThat(thread.join(PATIENCE)).isTrue();
      }
      await("thousands of interrupts", () -> interrupts.get() > 50_000);
      stop.set(true);
      interrupter.join();
      assertThat(failures).isEmpty();
      await("all that was accepted", () -> handled.containsAll(accepted));
      assertThat(one.metrics().connectionsLost()).isZero();
      assertThat(two.metrics().connectionsLost()).isZero();
      assertThat(one.metrics().requestsOutstanding()).isZero();
    }
  }

  // 13

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldAdmitARestartedNode(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      one.handle(Event.class, (event, exchange) -> {});
      for (int life = 0; life < 5; life++) {
        Node two = nodes.open(2);
        int current = life;
        two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Ask(current)));
        two.send(1, new Event(1)); // the new life speaks first
        assertThat(one.request(2, new Ask(-1), Ask.class, PATIENCE).number()).isEqualTo(life);
        two.close();
      }
    }
  }

  /** Several signs come in the time of a probe, on its link. */
  @Test
  void shouldNotReplaceALivingNodeThatOftenGivesSignsOfLife() {
    Duration often = Duration.ofMillis(300);
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1, settings -> settings.keepAlive(often));
      Node two = nodes.open(2, settings -> settings.keepAlive(often));
      one.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Ask(-ask.number())));
      assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE).number()).isEqualTo(-1);
      for (int attempt = 0; attempt < 3; attempt++) {
        try (Node other = Node.open(nodes.builder(2).keepAlive(often).build())) {
          other.request(1, new Ask(2), Ask.class, PATIENCE);
        } catch (NodeUnreachableException e) {
          assertThat(e).hasMessageContaining("is connected and alive");
        }
      } // a pause of this process may have ended a connection in the meantime
      assertThat(one.metrics().connectionEnds()).doesNotContainKey(EndReason.REPLACED.name());
    }
  }

  // 14

  @Test
  void shouldServeAPeerWithoutListenerInBothDirections() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Node tool = nodes.openWithoutListener(2);
      one.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      tool.handle(Ask.class, (ask, exchange) -> exchange.reply(new Ask(-ask.number())));
      assertThat(tool.request(1, new Ask(5), Ask.class, PATIENCE).number()).isEqualTo(5);
      for (long number = 1; number < 500; number++) {
        assertThat(one.request(2, new Ask(number), Ask.class, PATIENCE).number())
            .isEqualTo(-number);
      }
      assertThat(one.metrics().connections()).hasSize(1);
    }
  }

  // 15

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldAnnounceATypeThatIsFirstUsedLater(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE).number()).isEqualTo(1);
      Queue<Long> numbers = new ConcurrentLinkedQueue<>();
      two.handle(Late.class, (message, exchange) -> numbers.add(message.number()));
      one.send(2, new Late(4));
      await("the message", () -> numbers.contains(4L));
    }
  }

  @Test
  void shouldAnnounceInBandBeforeTheFirstFrame() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node node = // a sign of life would be a frame, too
          nodes.open(1, settings -> settings.keepAlive(Duration.ofHours(1)));
      try (RawPeer peer = RawPeer.join(node, PEER)) {
        node.send(PEER, new Late(4));
        node.send(PEER, new Late(5));
        RawPeer.Frame announcement = peer.read();
        assertThat(announcement.kind()).isEqualTo(FrameLayout.TYPE);
        long header = FrameLayout.readHeader(announcement.memory(), 0);
        assertThat(TypeAnnouncement.parse(announcement.memory(), 0, header).name())
            .isEqualTo(Late.class.getName());
        for (long number = 4; number <= 5; number++) {
          RawPeer.Frame message = peer.read();
          assertThat(message.kind()).isEqualTo(FrameLayout.MESSAGE);
          assertThat(message.type()).isEqualTo(announcement.type());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldNameTypeAndComponentOfASchemaThatDiffers(String transport) {
    Queue<String> refusals = new ConcurrentLinkedQueue<>();
    NodeListener listener =
        new NodeListener() {
          @Override
          public void refused(int nodeId, String reason) {
            refusals.add(reason);
          }
        };
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.listener(listener));
      Node two = nodes.open(2);
      one.handle(NewPoint.class, (point, exchange) -> {});
      two.handle(OldPoint.class, (point, exchange) -> {});
      assertThatThrownBy(() -> one.send(2, new NewPoint(1, 2)))
          .hasMessageContaining("messageType=point reader=2: ") // it is read there
          .hasMessageContaining(
              "whoever reads it is upgraded first, here node 2: docs/encoding.md#")
          .hasMessageContaining("component y: int at the reader, long at the writer");
      await("the listener hears", () -> !refusals.isEmpty());
      assertThat(refusals.element()).contains("SCHEMA_MISMATCH").contains("point");
    }
  }

  /** Also when it turns out on a connection that is there. */
  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldSayThatVersionsDoNotFitAndAccuseNobody(String transport) {
    Queue<String> causes = new ConcurrentLinkedQueue<>();
    NodeListener listener =
        new NodeListener() {
          @Override
          public void lost(LossReport report) {
            causes.add(report.cause());
          }
        };
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = nodes.open(2, settings -> settings.listener(listener));
      two.handle(Event.class, (event, exchange) -> exchange.reply(event));
      two.handle(OldPoint.class, (point, exchange) -> {});
      Event event = new Event(1);
      assertThat(one.request(2, event, Event.class, PATIENCE).number()).isEqualTo(1);
      one.send(2, new NewPoint(1, 2));
      await("the listener hears", () -> !causes.isEmpty());
      assertThat(causes.element())
          .startsWith("schemas differ: messageType=point reader=2: ")
          .endsWith("here node 2: docs/encoding.md#two-versions-of-a-type");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldReadWiderNumbersFromAPeerThatOnlySendsThem(String transport) {
    Queue<Long> read = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node old = nodes.open(1);
      Node next = nodes.open(2);
      old.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      next.handle(NewPoint.class, (point, exchange) -> read.add(point.y()));
      old.send(2, new OldPoint(1, -2)); // now both know a type by that name
      await("the message", () -> !read.isEmpty());
      assertThat(read).containsExactly(-2L);
      assertThat(next.request(1, new Ask(3), Ask.class, PATIENCE).number()).isEqualTo(3);
      assertThat(old.metrics().connectionsLost() + next.metrics().connectionsLost()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldFailARequestWhoseResponseCannotBeRead(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node old = nodes.open(1);
      Node next = nodes.open(2);
      next.handle(Ask.class, (ask, exchange) -> exchange.reply(new NewPoint(1, ask.number())));
      next.handle(Event.class, (event, exchange) -> exchange.reply(event));
      Ask ask = new Ask(1);
      OldPoint sent = new OldPoint(1, 2);
      old.send(2, sent); // nobody handles it there; its response type is known here
      assertThatThrownBy(() -> old.request(2, ask, OldPoint.class, PATIENCE))
          .hasMessageContaining("reader=1")
          .hasMessageContaining("component y: int at the reader, long at the writer");
      assertThat(old.request(2, new Event(4), Event.class, PATIENCE).number()).isEqualTo(4);
      assertThat(old.metrics().connectionsLost()).isZero();
    }
  }

  // 18

  @Test
  void shouldTellPerReceiverWhatBecameOfAMulticastEncodedOnce() {
    AtomicInteger encoded = new AtomicInteger();
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(
        9,
        Event.class,
        new Codec<Event>() {
          @Override
          public int length(Event message) {
            return 8;
          }

          @Override
          public void encode(Event message, Writer writer) {
            encoded.incrementAndGet();
            writer.putLong(message.number());
          }

          @Override
          public Event decode(Reader reader) {
            return new Event(reader.getLong());
          }
        });
    Queue<Integer> receivers = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1, settings -> settings.catalog(catalog));
      for (int id = 2; id <= 5; id++) {
        Node node = nodes.open(id, settings -> settings.catalog(catalog));
        node.handle(Event.class, (event, exchange) -> receivers.add(node.id()));
      }
      nodes.directory().put(7, "127.0.0.1:1");
      MulticastResult result = one.send(Set.of(2, 3, 4, 5, 6, 7), new Event(1));
      assertThat(result.statuses())
          .containsEntry(2, SendStatus.ACCEPTED)
          .containsEntry(3, SendStatus.ACCEPTED)
          .containsEntry(4, SendStatus.ACCEPTED)
          .containsEntry(5, SendStatus.ACCEPTED)
          .containsEntry(6, SendStatus.UNKNOWN_NODE)
          .containsEntry(7, SendStatus.UNREACHABLE);
      assertThat(result.allAccepted()).isFalse();
      assertThat(encoded).hasValue(1);
      await("all receivers", () -> receivers.size() == 4);
      assertThat(receivers).containsExactlyInAnyOrder(2, 3, 4, 5);
    }
  }
}
