package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.RawPeer.words;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.engine.TestNodes.await;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.MulticastResult;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RetainedExchange;
import org.ringwire.SendStatus;
import org.ringwire.WaitInterruptedException;
import org.ringwire.codec.Codec;
import org.ringwire.codec.Message;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.TypeAnnouncement;

/** The rules of the design that concern whole nodes, by number; docs/rules.md lists all. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class RulesTest {

  private static final int PEER = 600;
  private static final int INITIAL_WINDOW = 64 << 10;
  private static final int MAX_WINDOW = 2 << 20;

  record Ask(long number) {}

  record Event(long number) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Blob(byte[] bytes) {}

  record First(long number) {}

  record Second(long number) {}

  record Third(long number) {}

  @Message(name = "point")
  record OldPoint(int x, int y) {}

  @Message(name = "point")
  record NewPoint(int x, long y) {}

  /** Its constructor throws where it is told to. */
  record Picky(int number) {
    static final AtomicBoolean REFUSES = new AtomicBoolean();

    Picky {
      if (REFUSES.get() && number == 13) {
        throw new IllegalArgumentException("constructor failed on purpose");
      }
    }
  }

  private static TypeAnnouncement type(Class<?> type) {
    return FrameEncoder.announcementOf(new MessageCatalog().typeOf(type));
  }

  // 1

  /** What a peer has seen of the window that it was granted. */
  private static final class Sender {
    final RawPeer peer;
    final int id;
    long sent;
    long granted = INITIAL_WINDOW;
    long processed;
    long widest = INITIAL_WINDOW;

    Sender(RawPeer peer, int id) {
      this.peer = peer;
      this.id = id;
    }

    /** Sends as much as it may. */
    void sendWindow() throws IOException {
      while (sent + 16 > granted) {
        RawPeer.Frame credit = peer.await(FrameLayout.CREDIT);
        processed = credit.word(0);
        granted = credit.word(2);
        widest = Math.max(widest, granted - processed);
      }
      int count = (int) ((granted - sent) / 16);
      byte[] one = frame(FrameLayout.MESSAGE, id, words(1));
      byte[] all = new byte[16 * count];
      for (int index = 0; index < count; index++) {
        System.arraycopy(one, 0, all, 16 * index, 16);
      }
      peer.send(all);
      sent += all.length;
    }
  }

  @Test
  void shouldGrowTheWindowOfABusyPeerUpToItsBound() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node node = nodes.open(1);
      node.handle(Event.class, (event, exchange) -> {});
      try (RawPeer peer = RawPeer.join(node, PEER, type(Event.class))) {
        Sender sender = new Sender(peer, type(Event.class).id());
        for (int round = 0; round < 200 && sender.widest < MAX_WINDOW; round++) {
          sender.sendWindow();
        }
        assertThat(sender.widest).isEqualTo(MAX_WINDOW);
        assertThat(node.metrics().framesRejected()).isZero();
      }
    }
  }

  @Test
  void shouldNeverGrantMoreThanTheBudgetOfTheNode() throws IOException {
    int budget = 1 << 20;
    int most = budget / INITIAL_WINDOW;
    List<Sender> senders = new ArrayList<>();
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node node = nodes.open(1, settings -> settings.windowBudget(budget));
      node.handle(Event.class, (event, exchange) -> {});
      int id = type(Event.class).id();
      for (int index = 0; index < 6; index++) {
        RawPeer peer = RawPeer.join(node, PEER + index, type(Event.class));
        senders.add(new Sender(peer, id));
      }
      for (int round = 0; round < 30; round++) {
        for (Sender sender : senders) {
          sender.sendWindow();
        }
      }
      assertThat(senders.stream().mapToLong(sender -> sender.widest).sum())
          .isGreaterThan(6 * INITIAL_WINDOW)
          .isLessThanOrEqualTo(budget);
      int admitted = 6;
      RawPeer.Frame refusal = null;
      while (refusal == null) {
        assertThat(admitted).isLessThanOrEqualTo(most);
        RawPeer peer = RawPeer.connect(node);
        senders.add(new Sender(peer, id));
        int peerId = PEER + admitted;
        peer.send(RawPeer.hello(peerId, 9, "default", type(Event.class)).encode());
        RawPeer.Frame answer = peer.read();
        assertThat(answer).isNotNull();
        refusal = answer.kind() == FrameLayout.REFUSE ? answer : null;
        admitted++;
      }
      assertThat(RefusalReason.of(refusal.type())).isEqualTo(RefusalReason.LIMIT);
      senders.get(0).sendWindow(); // the others go on
      for (Sender sender : senders) {
        sender.peer.close();
      }
    }
  }

  // 3

  @Test
  void shouldCreditWhatHandlersHaveProcessedOnly() throws IOException {
    CountDownLatch release = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node node = nodes.open(1);
      node.handle(
          Event.class,
          (event, exchange) -> assertThat(release.await(60, TimeUnit.SECONDS)).isTrue());
      try (RawPeer peer = RawPeer.join(node, PEER, type(Event.class))) {
        Sender sender = new Sender(peer, type(Event.class).id());
        sender.sendWindow();
        peer.send(frame(FrameLayout.PING, 0, words(1)));
        assertThat(peer.read().kind()).as("no credit before").isEqualTo(FrameLayout.PONG);
        await("all arrived", () -> node.metrics().messagesReceived() == sender.sent / 16);
        release.countDown();
        assertThat(peer.await(FrameLayout.CREDIT).word(0)).isPositive();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldStopSendersWhileNothingIsProcessed(String transport) {
    CountDownLatch release = new CountDownLatch(1);
    AtomicLong handled = new AtomicLong();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.window(INITIAL_WINDOW, INITIAL_WINDOW));
      Node two = nodes.open(2, settings -> settings.window(INITIAL_WINDOW, INITIAL_WINDOW));
      two.handle(
          Event.class,
          (event, exchange) -> {
            assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
            handled.incrementAndGet();
          });
      one.send(2, new Event(0));
      long accepted = 1;
      while (one.trySend(2, new Event(accepted)) == SendStatus.ACCEPTED) {
        accepted++;
      }
      assertThat(one.trySend(2, new Event(0))).isEqualTo(SendStatus.BACK_PRESSURED);
      assertThat(accepted).isEqualTo(INITIAL_WINDOW / 16);
      assertThat(one.metrics().connections().getFirst().uncreditedBytes())
          .isEqualTo(INITIAL_WINDOW);
      release.countDown();
      long all = accepted;
      await("all are handled", () -> handled.get() == all);
      one.send(2, new Event(1));
    }
  }

  // 4

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldReturnResponsesLongerThanTheirReservation(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      two.handle(
          Ask.class,
          Dispatch.INLINE,
          (ask, exchange) -> {
            byte[] bytes = new byte[(int) ask.number()];
            new Random(ask.number()).nextBytes(bytes);
            exchange.reply(new Blob(bytes));
          });
      List<CompletableFuture<Blob>> answers = new ArrayList<>();
      int[] sizes = {0, 65_000, 65_500, 65_536, 66_000, 1 << 20, 10 << 20};
      for (int size : sizes) {
        answers.add(one.requestAsync(2, new Ask(size), Blob.class));
      }
      for (int index = 0; index < sizes.length; index++) {
        byte[] expected = new byte[sizes[index]];
        new Random(sizes[index]).nextBytes(expected);
        assertThat(answers.get(index).orTimeout(30, TimeUnit.SECONDS).join().bytes())
            .isEqualTo(expected);
      }
    }
  }

  // 7

  private record View(MemorySegment bytes) {}

  private static MessageCatalog viewCatalog() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(
        9,
        View.class,
        new Codec<View>() {
          @Override
          public int length(View view) {
            return (int) view.bytes().byteSize();
          }

          @Override
          public void encode(View view, Writer writer) {
            writer.putBytes(view.bytes(), 0, view.bytes().byteSize());
          }

          @Override
          public View decode(Reader reader) {
            return new View(reader.view(reader.remaining()));
          }
        });
    return catalog;
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldKeepViewsOfARetainedMessage(String transport) {
    record Kept(View view, RetainedExchange exchange) {}

    Queue<Kept> kept = new ConcurrentLinkedQueue<>();
    AtomicInteger seen = new AtomicInteger();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.catalog(viewCatalog()));
      Node two = nodes.open(2, settings -> settings.catalog(viewCatalog()));
      two.handle(
          View.class,
          Dispatch.POOLED.inOrder(),
          (view, exchange) -> {
            if (seen.getAndIncrement() % 100 == 0) {
              kept.add(new Kept(view, exchange.retain()));
            }
          });
      int count = 5000;
      for (int number = 0; number < count; number++) {
        byte[] bytes = new byte[number % 1000 == 0 ? 30_000 : 100];
        java.util.Arrays.fill(bytes, (byte) (number / 100));
        one.send(2, new View(MemorySegment.ofArray(bytes)));
      }
      await("all", () -> seen.get() == count);
      assertThat(two.metrics().messagesHandled()).isLessThanOrEqualTo(count - kept.size());
      int index = 0;
      for (Kept each : kept) {
        MemorySegment bytes = each.view().bytes();
        for (long at = 0; at < bytes.byteSize(); at++) {
          assertThat(bytes.get(ValueLayout.JAVA_BYTE, at)).isEqualTo((byte) index);
        }
        index++;
        each.exchange().close();
        each.exchange().close(); // twice is fine
      }
      assertThat(kept).hasSize(count / 100);
      await("what was kept counts as processed", () -> two.metrics().messagesHandled() == count);
    }
  }

  // 8

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldRefuseAnInlineHandlerThatWouldWait(String transport) {
    Queue<Throwable> refused = new ConcurrentLinkedQueue<>();
    CountDownLatch release = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      one.handle(
          Event.class,
          (event, exchange) -> assertThat(release.await(60, TimeUnit.SECONDS)).isTrue());
      two.handle(
          Ask.class,
          Dispatch.INLINE,
          (ask, exchange) -> {
            try {
              Ask _ = two.request(1, ask, Ask.class, PATIENCE);
            } catch (IllegalStateException e) {
              refused.add(e);
            }
            try {
              for (int number = 0; number < 1_000_000; number++) {
                two.send(1, new Event(number));
              }
            } catch (IllegalStateException e) {
              refused.add(e);
            }
            exchange.reply(ask);
          });
      assertThat(one.request(2, new Ask(3), Ask.class, PATIENCE).number()).isEqualTo(3);
      assertThat(refused).hasSize(2);
      assertThat(refused)
          .allSatisfy(e -> assertThat(e).hasMessageContaining("register it as POOLED or BLOCKING"));
      release.countDown();
    }
  }

  @Test
  void shouldLetBlockingHandlersRequestFromEachOther() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      for (int id = 1; id <= 2; id++) {
        Node node = nodes.open(id, settings -> settings.handlerThreads(1));
        node.handle(
            Ask.class,
            Dispatch.BLOCKING,
            (ask, exchange) ->
                exchange.reply(
                    ask.number() == 0
                        ? ask
                        : node.request(
                            3 - node.id(), new Ask(ask.number() - 1), Ask.class, PATIENCE)));
      }
      Node caller = nodes.open(3);
      List<CompletableFuture<Ask>> answers = new ArrayList<>();
      for (int count = 0; count < 20; count++) {
        answers.add(caller.requestAsync(1, new Ask(10), Ask.class));
      }
      for (CompletableFuture<Ask> answer : answers) {
        assertThat(answer.orTimeout(30, TimeUnit.SECONDS).join().number()).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldRunDependentsOfFuturesOnHandlerThreadsOnly(String transport) {
    Queue<String> threads = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Queue<RetainedExchange> asked = new ConcurrentLinkedQueue<>();
      Node two = nodes.open(2);
      two.handle(Ask.class, (ask, exchange) -> asked.add(exchange.retain()));
      for (int count = 0; count < 20; count++) {
        CompletableFuture<Void> _ =
            one.requestAsync(2, new Ask(count), Ask.class)
                .handle((answer, failure) -> {
                  threads.add(Thread.currentThread().getName());
                  return null;
                });
      }
      await("all requests", () -> asked.size() == 20);
      int index = 0;
      for (RetainedExchange exchange : asked) {
        if (index++ % 2 == 0) {
          exchange.reply(new Ask(1));
        }
        exchange.close(); // the others fail
      }
      await("all dependents", () -> threads.size() == 20);
      assertThat(threads).allMatch(name -> name.startsWith("ringwire-1-handler-"));
    }
  }

  // 9

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldHandleOrderedTypesOfAllModesInOneSequence(String transport) {
    Queue<Long> order = new ConcurrentLinkedQueue<>();
    AtomicInteger inside = new AtomicInteger();
    AtomicBoolean overlapped = new AtomicBoolean();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      two.handle(
          First.class,
          Dispatch.INLINE.inOrder(),
          (message, exchange) -> record(order, message.number(), inside, overlapped));
      two.handle(
          Second.class,
          Dispatch.POOLED.inOrder(),
          (message, exchange) -> record(order, message.number(), inside, overlapped));
      two.handle(
          Third.class,
          Dispatch.BLOCKING.inOrder(),
          (message, exchange) -> record(order, message.number(), inside, overlapped));
      Random random = new Random(7);
      int count = 30_000;
      for (long number = 0; number < count; number++) {
        switch (random.nextInt(3)) {
          case 0 -> one.send(2, new First(number));
          case 1 -> one.send(2, new Second(number));
          default -> one.send(2, new Third(number));
        }
        if (random.nextInt(50) == 0) { // lets the lane run empty
          long target = number + 1;
          await("handled so far", () -> order.size() == target);
        }
      }
      await("all", () -> order.size() == count);
      long expected = 0;
      for (long number : order) {
        assertThat(number).isEqualTo(expected++);
      }
      assertThat(overlapped).isFalse();
    }
  }

  private static void record(
      Queue<Long> order, long number, AtomicInteger inside, AtomicBoolean overlapped) {
    if (inside.incrementAndGet() != 1) {
      overlapped.set(true);
    }
    order.add(number);
    inside.decrementAndGet();
  }

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
      two.handle(First.class, (message, exchange) -> numbers.add(message.number()));
      one.send(2, new First(4));
      await("the message", () -> numbers.contains(4L));
    }
  }

  @Test
  void shouldAnnounceInBandBeforeTheFirstFrame() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node node = nodes.open(1);
      try (RawPeer peer = RawPeer.join(node, PEER)) {
        node.send(PEER, new First(4));
        node.send(PEER, new First(5));
        RawPeer.Frame announcement = peer.read();
        assertThat(announcement.kind()).isEqualTo(FrameLayout.TYPE);
        long header = FrameLayout.readHeader(announcement.memory(), 0);
        assertThat(TypeAnnouncement.parse(announcement.memory(), 0, header).name())
            .isEqualTo(First.class.getName());
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
          .hasMessageContaining("messageType=point")
          .hasMessageContaining("component y: int here, long there");
      await("the listener hears", () -> !refusals.isEmpty());
      assertThat(refusals.element()).contains("SCHEMA_MISMATCH").contains("point");
    }
  }

  // 16

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldLoseOneMessageToAConstructorThatThrows(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      nodes.open(2).handle(Picky.class, (picky, exchange) -> exchange.reply(new Ask(1)));
      Picky bad = new Picky(13);
      Picky.REFUSES.set(true);
      assertThatThrownBy(() -> one.request(2, bad, Ask.class, PATIENCE))
          .isInstanceOf(RemoteHandlerException.class)
          .hasMessageContaining("on purpose");
      assertThat(one.request(2, new Picky(14), Ask.class, PATIENCE).number()).isEqualTo(1);
      assertThat(one.metrics().connectionsLost()).isZero();
    } finally {
      Picky.REFUSES.set(false);
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
