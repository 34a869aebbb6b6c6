package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.CloseReport;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;
import org.ringwire.RetainedExchange;
import org.ringwire.SendStatus;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.ConnectionState;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;
import org.ringwire.transport.Transport;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;

/** The time of a close is that of the call, whatever patience the two sides have otherwise. */
@ExtendWith(NodeWatcher.class)
class CloseTimeTest {

  private static final Duration SHORT = Duration.ofMillis(100);

  /** Several times as long as the short patience. */
  private static final Duration LONGER = Duration.ofMillis(600);

  private static final int COUNT = 40;

  record Event(long number) {}

  record Ask(long number) {}

  record Question(long number) {}

  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger handled = new AtomicInteger();
  private final Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
  private final Queue<LossReport> ends = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> lateOnes = new ConcurrentLinkedQueue<>();

  private final NodeListener listener =
      new NodeListener() {
        @Override
        public void lost(LossReport report) {
          ends.add(report);
        }
      };

  @AfterEach
  void end() {
    release.countDown();
    retained.forEach(RetainedExchange::close);
  }

  private Node open(TestNodes nodes, int id, Duration patience) {
    return nodes.open(
        id,
        settings ->
            settings
                .handlerThreads(1)
                .requestTimeout(patience)
                .closeTimeout(patience)
                .listener(listener));
  }

  private static CompletableFuture<CloseReport> closing(Node node, Duration time) {
    CompletableFuture<CloseReport> report =
        CompletableFuture.supplyAsync(() -> node.close(time), Thread::startVirtualThread);
    node.whenClosed().join();
    return report;
  }

  private static void pass(Duration time) {
    long endNs = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static Connection connection(Node node, int peer) {
    Connection found = ((MessagingNode) node).connections().get(peer);
    if (found == null) {
      throw new AssertionError("not connected: nodeId=" + peer);
    }
    return found;
  }

  private static boolean isConnected(Node node, int peer) {
    return ((MessagingNode) node).connections().get(peer) != null;
  }

  private void handleOnceReleased(Node node) {
    node.handle(
        Event.class,
        (event, exchange) -> {
          release.await();
          handled.incrementAndGet();
        });
  }

  private static void send(Node from, int to, int count) {
    for (int number = 0; number < count; number++) {
      from.send(to, new Event(number));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "tcp,100,100",
    "tcp,30000,100",
    "tcp,100,30000",
    "loopback,100,100",
    "loopback,30000,100"
  })
  void shouldWaitForTheHandlersOfPeersUntilItsTimeIsOver(String transport, long own, long peer) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = open(nodes, 1, Duration.ofMillis(own));
      handleOnceReleased(open(nodes, 2, Duration.ofMillis(peer)));
      send(one, 2, COUNT);
      CompletableFuture<CloseReport> report = closing(one, PATIENCE);
      pass(LONGER);
      release.countDown();
      assertThat(report.join()).matches(CloseReport::isClean);
      assertThat(handled).hasValue(COUNT);
    }
  }

  @ParameterizedTest
  @CsvSource({"tcp,100,100", "tcp,30000,100", "loopback,100,30000"})
  void shouldHandleAndAnswerWhatPeersHaveSentUntilItsTimeIsOver(
      String transport, long own, long peer) throws Exception {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = open(nodes, 1, Duration.ofMillis(own));
      Node two = open(nodes, 2, Duration.ofMillis(peer));
      one.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
      CompletableFuture<Ask> answer = two.requestAsync(1, new Ask(1), Ask.class, PATIENCE);
      await("the request", () -> retained.size() == 1);
      CompletableFuture<CloseReport> report = closing(one, PATIENCE);
      pass(LONGER);
      try (RetainedExchange exchange = retained.element()) {
        exchange.reply(new Ask(2));
      }
      assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Ask(2));
      assertThat(report.join()).matches(CloseReport::isClean);
    }
  }

  @Test
  void shouldGiveItsTimeToADismissalThatHasBegun() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1, SHORT);
      handleOnceReleased(open(nodes, 2, PATIENCE));
      send(one, 2, COUNT);
      connection(one, 2).drain(EndReason.DISMISSED, CloseReason.DISMISSED, System.nanoTime());
      CompletableFuture<CloseReport> report = closing(one, PATIENCE);
      pass(LONGER);
      release.countDown();
      assertThat(report.join()).matches(CloseReport::isClean);
      assertThat(handled).hasValue(COUNT);
    }
  }

  @Test
  void shouldHandleWhatThePeerHasSentAlsoIfBothClose() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1, SHORT);
      Node two = open(nodes, 2, SHORT);
      handleOnceReleased(one);
      handleOnceReleased(two);
      send(one, 2, COUNT);
      send(two, 1, COUNT);
      CompletableFuture<CloseReport> first = closing(one, PATIENCE);
      CompletableFuture<CloseReport> second = closing(two, PATIENCE);
      pass(LONGER);
      release.countDown();
      assertThat(first.join()).matches(CloseReport::isClean);
      assertThat(second.join()).matches(CloseReport::isClean);
      assertThat(handled).hasValue(2 * COUNT);
    }
  }

  /** Its handler never returns: neither the peer that has gone nor its own close waits for that. */
  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldWaitNoLongerThanThePeerThatCloses(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = open(nodes, 1, SHORT);
      Node two = open(nodes, 2, SHORT);
      two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
      one.send(2, new Ask(1));
      await("the message", () -> retained.size() == 1);
      assertThat(one.close(LONGER).isClean()).isFalse();
      await("the connection has ended", () -> !isConnected(two, 1));
    }
  }

  @Test
  void shouldWaitForAPeerThatClosesNoLongerThanItsOwnTime() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1, SHORT);
      Node two = open(nodes, 2, SHORT);
      two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
      one.send(2, new Ask(1));
      await("the message", () -> retained.size() == 1);
      CompletableFuture<CloseReport> report = closing(one, PATIENCE);
      await("the peer drains", () -> connection(two, 1).state() == ConnectionState.DRAINING);
      assertThat(two.close(SHORT).abandoned()).isEqualTo(1);
      assertThat(report.join().isClean()).isFalse();
    }
  }

  @Test
  void shouldLoseItsPatienceWithAPeerThatClosesWhileThereAreTooManyConnections() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1, PATIENCE);
      Node two =
          nodes.open(
              2, settings -> settings.requestTimeout(SHORT).closeTimeout(SHORT).maxConnections(1));
      two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
      nodes.open(3).handle(Event.class, (event, exchange) -> {});
      one.send(2, new Ask(1));
      await("the message", () -> retained.size() == 1);
      CompletableFuture<CloseReport> report = closing(one, PATIENCE.multipliedBy(2));
      await("the peer drains", () -> connection(two, 1).state() == ConnectionState.DRAINING);
      send(two, 3, 1); // and its place is needed
      await("its end", () -> !isConnected(two, 1));
      assertThat(report.join().isClean()).isFalse();
    }
  }

  /** It has said that it closes, needs nothing more, and stays. */
  @Test
  void shouldLoseItsPatienceWithAPeerThatClosesAndStays() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1, SHORT);
      try (RawPeer peer = RawPeer.join(one, 50, Handshake.DRAINS)) {
        peer.send(ControlFrames.close(CloseReason.NODE_CLOSING, "on purpose"));
        assertThat(CloseReason.of(peer.await(FrameLayout.CLOSE).type()))
            .isEqualTo(CloseReason.NODE_CLOSING);
        peer.awaitEnd();
      }
      await("it has ended", () -> !ends.isEmpty());
    }
  }

  /** Another peer owes an answer that does not come. */
  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldEndOtherConnectionsWhileARequestWaits(String transport) {
    AtomicInteger accepted = new AtomicInteger();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = open(nodes, 2, PATIENCE);
      one.handle(Event.class, (event, exchange) -> handled.incrementAndGet());
      nodes.open(3).handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
      CompletableFuture<Ask> answer = one.requestAsync(3, new Ask(1), Ask.class, PATIENCE);
      two.send(1, new Event(0));
      await("both", () -> handled.get() == 1 && retained.size() == 1);
      CompletableFuture<CloseReport> report = closing(one, PATIENCE);
      await(
          "it is told to send nothing more",
          () -> {
            SendStatus status = two.trySend(1, new Event(1));
            accepted.addAndGet(status == SendStatus.ACCEPTED ? 1 : 0);
            return status != SendStatus.ACCEPTED && status != SendStatus.BACK_PRESSURED;
          });
      await("the end", () -> !ends.isEmpty());
      assertThat(report).isNotDone();
      assertThat(ends.element()).matches(LossReport::isClean);
      assertThat(ends.element().reason()).isEqualTo(EndReason.PEER_CLOSED);
      assertThat(handled).hasValue(1 + accepted.get());
      try (RetainedExchange exchange = retained.element()) {
        exchange.reply(new Ask(2));
      }
      assertThat(answer.join()).isEqualTo(new Ask(2));
      assertThat(report.join()).matches(CloseReport::isClean);
    }
  }

  @Test
  void shouldLetAPeerAskBackBeforeItAnswers() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      one.handle(Question.class, (question, exchange) -> exchange.reply(question));
      two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
      CompletableFuture<Ask> answer = one.requestAsync(2, new Ask(1), Ask.class, PATIENCE);
      await("the request", () -> retained.size() == 1);
      CompletableFuture<CloseReport> report = closing(one, PATIENCE);
      pass(SHORT);
      Question back = two.request(1, new Question(5), Question.class, PATIENCE);
      try (RetainedExchange exchange = retained.element()) {
        exchange.reply(new Ask(back.number()));
      }
      assertThat(answer.join()).isEqualTo(new Ask(5));
      assertThat(report.join()).matches(CloseReport::isClean);
    }
  }

  /**
   * The answer takes long: at last the peer that owes it is told as well, and can still give it.
   */
  @Test
  void shouldEndTheConnectionOfAPeerThatOwesAnAnswerBeforeItsTimeIsOver() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Node two = open(nodes, 2, PATIENCE);
      one.handle(Event.class, (event, exchange) -> handled.incrementAndGet());
      two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
      CompletableFuture<Ask> answer = one.requestAsync(2, new Ask(1), Ask.class, PATIENCE);
      await("the request", () -> retained.size() == 1);
      send(two, 1, COUNT);
      CompletableFuture<CloseReport> report = closing(one, Duration.ofSeconds(6));
      Connection toOne = connection(two, 1);
      await("the peer drains", () -> toOne.state() != ConnectionState.OPEN);
      try (RetainedExchange exchange = retained.element()) {
        exchange.reply(new Ask(2));
      }
      assertThat(report.join()).matches(CloseReport::isClean);
      assertThat(answer.join()).isEqualTo(new Ask(2));
      await("the end", () -> !ends.isEmpty());
      assertThat(ends.element()).matches(LossReport::isClean);
      assertThat(handled).hasValue(COUNT);
    }
  }

  /** Comes to node 3 when the test lets it. */
  private final class Late extends ForwardingTransport {

    private final String address;

    Late(Transport real, String address) {
      super(real);
      this.address = address;
    }

    @Override
    public void connect(String to, LinkHandler handler) {
      if (to.equals(address)) {
        lateOnes.add(() -> super.connect(to, handler));
      } else {
        super.connect(to, handler);
      }
    }
  }

  /** A peer's HELLO was waiting for our link when the node began to close. */
  @Test
  void shouldEndInGoodOrderWhatOpensWhileItWaitsForOthers() {
    AtomicInteger accepted = new AtomicInteger();
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node two = nodes.open(2);
      handleOnceReleased(two);
      Node three = open(nodes, 3, PATIENCE);
      String late = String.valueOf(three.address());
      Node one =
          nodes.open(
              1,
              settings -> settings,
              ForwardingTransport.provider(
                  "tcp", settings -> new Late(Transports.named("tcp").open(settings), late)));
      one.handle(Event.class, (event, exchange) -> handled.incrementAndGet());
      send(one, 2, 1);
      assertThat(three.trySend(1, new Event(0))).isEqualTo(SendStatus.NOT_CONNECTED);
      await("the link back", () -> !lateOnes.isEmpty());
      CompletableFuture<CloseReport> report = closing(one, PATIENCE);
      await("it waits for node 2", () -> connection(two, 1).state() == ConnectionState.DRAINING);
      lateOnes.remove().run();
      await(
          "the end",
          () -> {
            accepted.addAndGet(three.trySend(1, new Event(1)) == SendStatus.ACCEPTED ? 1 : 0);
            return !ends.isEmpty();
          });
      assertThat(report).isNotDone();
      assertThat(ends.element()).matches(LossReport::isClean);
      assertThat(ends.element().reason()).isEqualTo(EndReason.PEER_CLOSED);
      release.countDown();
      assertThat(report.join()).matches(CloseReport::isClean);
      assertThat(handled).hasValue(1 + accepted.get());
    }
  }

  /** What comes over its link is read when the test lets it. */
  private final class ReadLate extends Tap {

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      await("the test", () -> release.getCount() == 0);
      super.received(memory, offset, length);
    }
  }

  /** For the peer it is open already, and nothing else is to be waited for. */
  @Test
  void shouldWaitForTheAnswerToItsHello() {
    Queue<Tap> taps = new ConcurrentLinkedQueue<>(List.of(new ReadLate()));
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one =
          nodes.open(
              1,
              settings -> settings,
              TappedTransport.provider(
                  Transports.named("tcp"), () -> taps.isEmpty() ? new Tap() : taps.remove()));
      Node three = open(nodes, 3, PATIENCE);
      one.handle(Event.class, (event, exchange) -> handled.incrementAndGet());
      nodes.directory().remove(1); // so it is one link for both
      assertThat(one.trySend(3, new Event(0))).isEqualTo(SendStatus.NOT_CONNECTED);
      await("node 3", () -> isConnected(three, 1));
      send(three, 1, COUNT);
      CompletableFuture<CloseReport> report = closing(one, PATIENCE);
      pass(SHORT);
      release.countDown();
      assertThat(report.join()).matches(CloseReport::isClean);
      await("the end", () -> !ends.isEmpty());
      assertThat(ends.element()).matches(LossReport::isClean);
      assertThat(ends.element().reason()).isEqualTo(EndReason.PEER_CLOSED);
      assertThat(handled).hasValue(COUNT);
    }
  }

  /** Who began to send before has to do with the directory until it is over. */
  @Test
  void shouldBeginNothingWhenADirectoryAnswersAfterIt() {
    AtomicInteger asked = new AtomicInteger();
    NodeDirectory slow =
        nodeId -> {
          asked.incrementAndGet();
          await("the test", () -> release.getCount() == 0);
          return "127.0.0.1:1";
        };
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1, settings -> settings.peers(slow));
      CompletableFuture<SendStatus> status =
          CompletableFuture.supplyAsync(
              () -> one.trySend(2, new Event(1)), Thread::startVirtualThread);
      CompletableFuture<Void> writable =
          CompletableFuture.runAsync(() -> one.whenWritable(2).join(), Thread::startVirtualThread);
      await("the questions", () -> asked.get() == 2);
      assertThat(one.close(PATIENCE)).matches(CloseReport::isClean);
      release.countDown();
      assertThat(status.join()).isEqualTo(SendStatus.CLOSED);
      assertThat(writable)
          .failsWithin(PATIENCE)
          .withThrowableThat()
          .havingCause()
          .isInstanceOf(NodeClosedException.class);
      assertThat(one.metrics().connectAttempts()).isZero();
    }
  }
}
