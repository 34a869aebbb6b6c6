package org.ringwire.lessons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.engine.TestNodes.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.EncodingException;
import org.ringwire.IdleStrategy;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeConfig;
import org.ringwire.NodeListener;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.RetainedExchange;
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** What went wrong elsewhere between nodes, tried on ours; by number of the lesson. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class LessonsTest {

  record Ask(long number) {}

  record Answer(long number) {}

  record Event(long number) {}

  record Text(String text) {}

  /** Its codec misbehaves as the number says. */
  record Odd(int number) {}

  private static class OddCodec implements Codec<Odd> {

    private static final int[] EMPTY = {};

    static final int FINE = 0;
    static final int THROWS = 1;
    static final int TOO_LITTLE = 2;
    static final int TOO_MUCH = 3;
    static final int OUT_OF_BOUNDS = 4;
    static final int ERROR = 5;
    static final int DECODE_OUT_OF_BOUNDS = 6;
    static final int DECODE_ERROR = 7;

    @Override
    public int length(Odd message) {
      return 8;
    }

    @Override
    public void encode(Odd message, Writer writer) {
      writer.putInt(message.number());
      switch (message.number()) {
        case THROWS -> throw new IllegalStateException("encode failed on purpose");
        case TOO_LITTLE -> {}
        case TOO_MUCH -> writer.putLong(0);
        case OUT_OF_BOUNDS -> writer.putInt(EMPTY[message.number()]);
        case ERROR -> throw new StackOverflowError("encode failed on purpose");
        default -> writer.putInt(0);
      }
    }

    @Override
    public Odd decode(Reader reader) {
      Odd odd = new Odd(reader.getInt());
      reader.getInt();
      if (odd.number() == DECODE_OUT_OF_BOUNDS) {
        throw new ArrayIndexOutOfBoundsException("decode failed on purpose");
      }
      if (odd.number() == DECODE_ERROR) {
        throw new StackOverflowError("decode failed on purpose");
      }
      return odd;
    }
  }

  private static MessageCatalog oddCatalog() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(7, Odd.class, new OddCodec());
    return catalog;
  }

  // 1

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldHandleTheNextMessageAfterAFailedHandler(String transport) {
    for (Dispatch dispatch :
        List.of(Dispatch.INLINE, Dispatch.POOLED, Dispatch.BLOCKING, Dispatch.POOLED.inOrder())) {
      try (TestNodes nodes = new TestNodes(transport)) {
        Node one = nodes.open(1);
        Node two = nodes.open(2);
        two.handle(
            Ask.class,
            dispatch,
            (ask, exchange) -> {
              if (ask.number() % 2 == 1) {
                throw new StackOverflowError("handler failed on purpose");
              }
              exchange.reply(new Answer(ask.number()));
            });
        for (int number = 0; number < 20; number += 2) {
          Ask bad = new Ask(number + 1);
          assertThatThrownBy(() -> one.request(2, bad, Answer.class, PATIENCE))
              .isInstanceOf(RemoteHandlerException.class)
              .hasMessageContaining("on purpose");
          assertThat(one.request(2, new Ask(number), Answer.class, PATIENCE).number())
              .isEqualTo(number);
        }
        assertThat(two.metrics().handlerFailures()).isEqualTo(10);
      }
    }
  }

  // 2

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldDeliverTheNextMessageAfterAFailedEncode(String transport) {
    Queue<Integer> arrived = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.catalog(oddCatalog()));
      Node two = nodes.open(2, settings -> settings.catalog(oddCatalog()));
      two.handle(Odd.class, Dispatch.INLINE, (odd, exchange) -> arrived.add(odd.number()));
      one.send(2, new Odd(OddCodec.FINE));
      for (int round = 0; round < 2000; round++) { // many times more than fit into the ring
        assertNamesBothLengths(one, OddCodec.THROWS, 4);
        assertNamesBothLengths(one, OddCodec.TOO_LITTLE, 4);
        assertNamesBothLengths(one, OddCodec.TOO_MUCH, 4);
      }
      assertThatThrownBy(() -> one.send(2, new Odd(OddCodec.ERROR)))
          .isInstanceOf(StackOverflowError.class);
      one.send(2, new Odd(OddCodec.FINE));
      await("both good messages", () -> arrived.size() == 2);
      assertThat(arrived).containsExactly(0, 0);
      await("all credited", () -> two.metrics().messagesHandled() == 2);
      assertThat(one.metrics().messagesSent()).isEqualTo(2);
    }
  }

  private static void assertNamesBothLengths(Node node, int how, int written) {
    assertThatThrownBy(() -> node.send(2, new Odd(how)))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining(Odd.class.getName())
        .hasMessageContaining("announcedLength=8")
        .hasMessageContaining("writtenLength=" + written);
  }

  @Test
  void shouldFreeTheRequestWhoseEncodeFails() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1, settings -> settings.catalog(oddCatalog()).maxRequests(4));
      Node two = nodes.open(2, settings -> settings.catalog(oddCatalog()));
      two.handle(Odd.class, (odd, exchange) -> exchange.reply(odd));
      for (int round = 0; round < 10; round++) {
        assertThatThrownBy(() -> one.request(2, new Odd(OddCodec.ERROR), Odd.class, PATIENCE))
            .isInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> one.requestAsync(2, new Odd(OddCodec.ERROR), Odd.class))
            .isInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> one.request(2, new Odd(OddCodec.THROWS), Odd.class, PATIENCE))
            .isInstanceOf(EncodingException.class);
      }
      Odd fine = new Odd(OddCodec.FINE);
      assertThat(one.request(2, fine, Odd.class, PATIENCE)).isEqualTo(fine);
      assertThat(one.metrics().requestsOutstanding()).isZero();
    }
  }

  @Test
  void shouldAnswerTheRequestWhoseReplyIsNotEncoded() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1, settings -> settings.catalog(oddCatalog()));
      Node two = nodes.open(2, settings -> settings.catalog(oddCatalog()));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Odd((int) ask.number())));
      for (int how : new int[] {OddCodec.THROWS, OddCodec.TOO_MUCH, OddCodec.ERROR}) {
        assertThatThrownBy(() -> one.request(2, new Ask(how), Odd.class, PATIENCE))
            .isInstanceOf(RemoteHandlerException.class);
      }
      assertThat(one.request(2, new Ask(0), Odd.class, PATIENCE)).isEqualTo(new Odd(0));
    }
  }

  // 3

  @Test
  void shouldLetAHundredThousandShortLivedThreadsSend() throws InterruptedException {
    int count = 100_000;
    Set<Long> arrived = ConcurrentHashMap.newKeySet();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      two.handle(Event.class, (event, exchange) -> arrived.add(event.number()));
      List<Thread> threads = new ArrayList<>();
      for (int number = 0; number < count; number++) {
        Event event = new Event(number);
        threads.add(
            Thread.startVirtualThread(() -> {
              try {
                one.send(2, event);
              } catch (RuntimeException e) {
                failures.add(e);
              }
            }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      await("all events", () -> arrived.size() == count);
    }
  }

  // 4

  @ParameterizedTest
  @ValueSource(longs = {1L << 24, 1L << 31, 1L << 32, Long.MIN_VALUE})
  void shouldMatchResponsesAcrossTheBoundariesOfIds(long boundary) {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one =
          nodes.added(
              MessagingNode.open(
                  nodes.builder(1).listen("127.0.0.1:0").maxRequests(4).build(), boundary - 20));
      Node two = nodes.open(2);
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Answer(ask.number())));
      for (long number = 0; number < 20; number++) {
        CompletableFuture<Answer> later = one.requestAsync(2, new Ask(-number), Answer.class);
        assertThat(one.request(2, new Ask(number), Answer.class, PATIENCE).number())
            .isEqualTo(number);
        assertThat(later.orTimeout(30, TimeUnit.SECONDS).join().number()).isEqualTo(-number);
      }
      await("no request is left", () -> one.metrics().requestsOutstanding() == 0);
    }
  }

  // 7

  @Test
  void shouldBindTheConfiguredAddressOnly() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      String address = String.valueOf(nodes.open(1).address());
      assertThat(address).startsWith("127.0.0.1:");
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      try (ServerSocket other = new ServerSocket()) { // a node on the wildcard would be in the way
        other.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), port));
        assertThat(other.isBound()).isTrue();
      }
    }
  }

  // 8

  @Test
  void shouldRefuseTypeIdsThatAreOutOfRangeOrTaken() {
    MessageCatalog catalog = new MessageCatalog();
    for (int id : new int[] {-1, -128, Integer.MIN_VALUE, 32_768, 65_536}) {
      assertThatThrownBy(() -> catalog.register(id, Odd.class, new OddCodec()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0 to 32767")
          .hasMessageContaining("id=" + id);
    }
    assertThat(catalog.register(127, Odd.class, new OddCodec()).id()).isEqualTo(127);
    assertThatThrownBy(() -> catalog.register(128, Odd.class, new OddCodec()))
        .hasMessageContaining("already in use");
  }

  // 9

  @ParameterizedTest
  @ValueSource(strings = {"", "plain", "Grüße", "漢字", "\uD83D\uDE80 to the moon", "\0\u07FF\uFFFF"})
  void shouldPassEveryText(String text) {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      nodes.open(2).handle(Text.class, (message, exchange) -> exchange.reply(message));
      assertThat(one.request(2, new Text(text), Text.class, PATIENCE).text()).isEqualTo(text);
    }
  }

  // 10

  @Test
  void shouldConnectAnyNumberOfLoopbackNodes() {
    int count = 20;
    Set<Long> arrived = ConcurrentHashMap.newKeySet();
    try (TestNodes nodes = new TestNodes("loopback")) {
      List<Node> all = new ArrayList<>();
      for (int id = 0; id < count; id++) {
        Node node = nodes.open(id, settings -> settings.handlerThreads(1).ringCapacity(64 << 10));
        node.handle(
            Event.class, (event, exchange) -> arrived.add(event.number() * count + node.id()));
        all.add(node);
      }
      for (Node from : all) {
        for (Node to : all) {
          from.send(to.id(), new Event(from.id()));
        }
      }
      await("one event for each pair", () -> arrived.size() == count * count);
    }
  }

  // 11

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldNeverCompleteAnotherRequestWithALateResponse(String transport) {
    Queue<RetainedExchange> late = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.maxRequests(2));
      Node two = nodes.open(2);
      two.handle(Ask.class, (ask, exchange) -> late.add(exchange.retain()));
      one.send(2, new Event(0)); // connects; nobody handles it
      for (int number = 0; number < 4; number++) {
        Ask ask = new Ask(number);
        assertThatThrownBy(() -> one.request(2, ask, Answer.class, Duration.ofMillis(200)))
            .isInstanceOf(RequestTimeoutException.class);
      }
      await("four late requests", () -> late.size() == 4);
      CompletableFuture<Answer> first = one.requestAsync(2, new Ask(5), Answer.class);
      CompletableFuture<Answer> second = one.requestAsync(2, new Ask(6), Answer.class);
      await("six requests", () -> late.size() == 6);
      List<RetainedExchange> exchanges = List.copyOf(late);
      for (int index = 0; index < 4; index++) {
        exchanges.get(index).reply(new Answer(-1));
      }
      await("late responses are counted", () -> one.metrics().lateResponses() == 4);
      assertThat(first).isNotDone();
      assertThat(second).isNotDone();
      exchanges.get(4).reply(new Answer(50));
      exchanges.get(5).reply(new Answer(60));
      assertThat(first.orTimeout(30, TimeUnit.SECONDS).join().number()).isIn(50L, 60L);
      assertThat(second.orTimeout(30, TimeUnit.SECONDS).join().number()).isIn(50L, 60L);
      assertThat(first.join()).isNotEqualTo(second.join());
      late.forEach(RetainedExchange::close);
    }
  }

  // 12

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldSayWhenNothingWasSent(String transport) {
    Queue<LossReport> losses = new ConcurrentLinkedQueue<>();
    NodeListener listener =
        new NodeListener() {
          @Override
          public void lost(LossReport report) {
            losses.add(report);
          }
        };
    AtomicLong handled = new AtomicLong();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.listener(listener));
      Node two = nodes.open(2);
      two.handle(Event.class, (event, exchange) -> handled.incrementAndGet());
      assertThat(one.trySend(3, new Event(1))).isEqualTo(SendStatus.UNKNOWN_NODE);
      assertThatThrownBy(() -> one.send(3, new Event(1)))
          .isInstanceOf(NodeUnreachableException.class);
      one.send(2, new Event(1));
      two.close();
      await("the loss is told", () -> losses.size() == 1);
      LossReport loss = losses.element();
      assertThat(loss.nodeId()).isEqualTo(2);
      assertThat(loss.accepted()).isEqualTo(1);
      assertThat(loss.processed() + loss.lost() + loss.uncertain()).isEqualTo(1);
      assertThatThrownBy(() -> one.send(2, new Event(2), Duration.ofSeconds(2)))
          .isInstanceOf(NodeUnreachableException.class);
      assertThat(one.trySend(2, new Event(3))).isNotEqualTo(SendStatus.ACCEPTED);
      one.close();
      assertThat(one.trySend(2, new Event(4))).isEqualTo(SendStatus.CLOSED);
      assertThatThrownBy(() -> one.send(2, new Event(5))).isInstanceOf(NodeClosedException.class);
      assertThat(handled).hasValueLessThanOrEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldSendToItself(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      AtomicInteger events = new AtomicInteger();
      one.handle(Event.class, (event, exchange) -> events.incrementAndGet());
      one.handle(Ask.class, (ask, exchange) -> exchange.reply(new Answer(exchange.source())));
      for (int number = 0; number < 1000; number++) {
        one.send(1, new Event(number));
      }
      assertThat(one.request(1, new Ask(0), Answer.class, PATIENCE).number()).isEqualTo(1);
      await("all events", () -> events.get() == 1000);
    }
  }

  @Test
  void shouldSayThatANodeWithoutListenerCannotSendToItself() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node alone = nodes.openWithoutListener(1);
      assertThatThrownBy(() -> alone.send(1, new Event(1)))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("does not listen");
    }
  }

  // 14

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldDeliverEverythingAcceptedBeforeItCloses(String transport) {
    int count = 20_000;
    AtomicInteger handled = new AtomicInteger();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      CountDownLatch begin = new CountDownLatch(1);
      two.handle(
          Event.class,
          Dispatch.POOLED.inOrder(),
          (event, exchange) -> {
            assertThat(begin.await(30, TimeUnit.SECONDS)).isTrue();
            handled.incrementAndGet();
          });
      for (int number = 0; number < count / 20; number++) {
        one.send(2, new Event(number));
      }
      Thread rest =
          Thread.startVirtualThread(() -> {
            for (int number = count / 20; number < count; number++) {
              one.send(2, new Event(number));
            }
            begin.countDown();
          });
      begin.countDown();
      assertThat(join(rest)).isTrue();
      CloseReport report = one.close(PATIENCE);
      assertThat(report.isClean()).as("%s", report).isTrue();
      assertThat(handled).hasValue(count);
    }
  }

  @Test
  void shouldWaitForDueResponsesWhenItCloses() {
    Queue<RetainedExchange> asked = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      nodes.open(2).handle(Ask.class, (ask, exchange) -> asked.add(exchange.retain()));
      CompletableFuture<Answer> answer = one.requestAsync(2, new Ask(1), Answer.class);
      await("the request", () -> asked.size() == 1);
      CompletableFuture<CloseReport> closed =
          CompletableFuture.supplyAsync(() -> one.close(PATIENCE));
      await(
          "the close has begun",
          () -> one.trySend(2, new Event(1)) == SendStatus.CLOSED && !closed.isDone());
      try (RetainedExchange exchange = asked.element()) {
        exchange.reply(new Answer(7));
      }
      assertThat(answer.orTimeout(30, TimeUnit.SECONDS).join().number()).isEqualTo(7);
      assertThat(closed.join().requestsCancelled()).isZero();
    }
  }

  private static boolean join(Thread thread) {
    try {
      return thread.join(PATIENCE);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // 15

  @Test
  void shouldConnectAfterAFailedAttempt() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      nodes.directory().put(2, "127.0.0.1:1");
      for (int attempt = 0; attempt < 3; attempt++) {
        assertThatThrownBy(() -> one.send(2, new Event(1), PATIENCE))
            .isInstanceOf(NodeUnreachableException.class);
      }
      AtomicInteger handled = new AtomicInteger();
      nodes.open(2).handle(Event.class, (event, exchange) -> handled.incrementAndGet());
      await("the back-off ends", () -> one.trySend(2, new Event(2)) == SendStatus.ACCEPTED);
      await("the event", () -> handled.get() == 1);
    }
  }

  // 19

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldReportAUsersOwnExceptionAsWhatItIs(String transport) {
    for (Dispatch dispatch : List.of(Dispatch.INLINE, Dispatch.POOLED, Dispatch.BLOCKING)) {
      try (TestNodes nodes = new TestNodes(transport)) {
        Node one = nodes.open(1, settings -> settings.catalog(oddCatalog()));
        Node two = nodes.open(2, settings -> settings.catalog(oddCatalog()));
        two.handle(Odd.class, dispatch, (odd, exchange) -> exchange.reply(odd));
        assertThatThrownBy(() -> one.send(2, new Odd(OddCodec.OUT_OF_BOUNDS)))
            .isInstanceOf(EncodingException.class)
            .hasCauseInstanceOf(ArrayIndexOutOfBoundsException.class);
        for (int how : new int[] {OddCodec.DECODE_OUT_OF_BOUNDS, OddCodec.DECODE_ERROR}) {
          assertThatThrownBy(() -> one.request(2, new Odd(how), Odd.class, PATIENCE))
              .isInstanceOf(RemoteHandlerException.class)
              .hasMessageContaining("decode failed on purpose");
        }
        Odd fine = new Odd(OddCodec.FINE);
        assertThat(one.request(2, fine, Odd.class, PATIENCE)).isEqualTo(fine);
        assertThat(two.metrics().framesRejected()).isZero();
        assertThat(two.metrics().connectionsLost()).isZero();
      }
    }
  }

  // 20

  @Test
  void shouldLetFifteenHundredThreadsEncodeAtTheSameTime() throws InterruptedException {
    int count = 1500;
    CountDownLatch encoding = new CountDownLatch(count);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger handled = new AtomicInteger();
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(
        Odd.class,
        new OddCodec() {
          @Override
          public void encode(Odd message, Writer writer) {
            encoding.countDown();
            try {
              assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            super.encode(message, writer);
          }
        });
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one =
          nodes.open(1, settings -> settings.catalog(catalog).encodeTimeout(Duration.ofMinutes(1)));
      Node two = nodes.open(2, settings -> settings.catalog(oddCatalogByName()));
      two.handle(Odd.class, (odd, exchange) -> handled.incrementAndGet());
      List<Thread> threads = new ArrayList<>();
      for (int number = 0; number < count; number++) {
        threads.add(Thread.startVirtualThread(() -> one.send(2, new Odd(OddCodec.FINE))));
      }
      assertThat(encoding.await(60, TimeUnit.SECONDS)).as("%s", encoding).isTrue();
      go.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      await("all are handled", () -> handled.get() == count);
    }
  }

  private static MessageCatalog oddCatalogByName() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(Odd.class, new OddCodec());
    return catalog;
  }

  // 21

  @Test
  void shouldParkWithoutPollingWhileNothingHappens() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      nodes.open(2).handle(Ask.class, (ask, exchange) -> exchange.reply(new Answer(1)));
      assertThat(one.request(2, new Ask(1), Answer.class, PATIENCE).number()).isEqualTo(1);
      await(
          "handlers and flushers wait without a time",
          () ->
              Thread.getAllStackTraces().keySet().stream()
                  .filter(thread -> thread.getName().matches("ringwire-.*-(handler-.*|flusher)"))
                  .allMatch(thread -> thread.getState() == Thread.State.WAITING));
    }
  }

  // 22

  @Test
  void shouldCountTheCoresOfTheContainerOnly() {
    int cores = Runtime.getRuntime().availableProcessors();
    assertThat(NodeConfig.builder(1).build().handlerThreads()).isEqualTo(Math.max(2, cores));
    assertThat(NodeConfig.builder(1).build().idleStrategy()).isEqualTo(IdleStrategy.parking());
    assertThat(IdleStrategy.spinning().spins()).isEqualTo(cores >= 2);
  }
}
