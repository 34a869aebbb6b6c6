package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.BackPressureException;
import org.ringwire.ConnectionLostException;
import org.ringwire.Dispatch;
import org.ringwire.LossReport;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.SendStatus;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/**
 * What a node promises whatever its transport is; one subclass per transport. Node 2 always
 * listens; node 1 does unless the transport under test is one link shared by both directions.
 */
@ExtendWith(NodeWatcher.class)
abstract class TransportContractTest extends ContractNodes {

  @Test
  void shouldEchoFromEveryKindOfHandler() {
    for (Dispatch dispatch : List.of(Dispatch.INLINE, Dispatch.POOLED, Dispatch.BLOCKING)) {
      try (Node one = open(1);
          Node two = open(2)) {
        two.handle(Echo.class, dispatch, (echo, exchange) -> exchange.reply(echo));
        for (long number = 0; number < 300; number++) {
          Echo echo = new Echo(number, "text " + number);
          assertThat(one.request(2, echo, Echo.class, TestNodes.PATIENCE)).isEqualTo(echo);
        }
      }
    }
  }

  @Test
  void shouldKeepOrderOfEachSendingThread() throws Exception {
    int senders = 4;
    int each = many() / senders;
    CountDownLatch all = new CountDownLatch(senders * each);
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    long[] next = new long[senders];
    Node one = open(1);
    Node two = open(2);
    two.handle(
        Numbered.class,
        Dispatch.POOLED.inOrder(),
        (message, exchange) -> {
          if (message.number() != next[message.sender()]++) {
            wrong.add(message + " after " + next[message.sender()]);
          }
          all.countDown();
        });
    Threads threads = new Threads();
    for (int sender = 0; sender < senders; sender++) {
      int id = sender;
      threads.start(() -> {
        for (long number = 0; number < each; number++) {
          one.send(2, new Numbered(id, number));
        }
      });
    }
    threads.join();
    awaitAll(all);
    assertThat(wrong).isEmpty();
  }

  /** Around every boundary on the way: of ring, window, read buffers and writes. */
  static Stream<Integer> boundaries() {
    return IntStream.of(0, 64, 4096, RING / 4, RING, 2 * RING, 1 << 18, 1 << 19, 1 << 20)
        .flatMap(size -> IntStream.of(-64, -33, -16, -9, -8, -1, 0, 1, 7, 8).map(i -> size + i))
        .filter(size -> size >= 0)
        .boxed();
  }

  @Test
  void shouldCarryMessagesOfEverySize() {
    Node one = open(1);
    Node two = open(2);
    two.handle(Blob.class, Dispatch.INLINE, (blob, exchange) -> exchange.reply(blob));
    List<Integer> sizes = boundaries().filter(size -> size <= largestSize()).toList();
    for (int size : sizes) {
      Blob blob = blob(size, size);
      Blob back = one.request(2, blob, Blob.class, TestNodes.PATIENCE);
      assertThat(Arrays.equals(back.bytes(), blob.bytes())).as("size %s", size).isTrue();
    }
  }

  @Test
  void shouldMixLargeAndSmallMessagesInOrder() throws Exception {
    int count = 200;
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    CountDownLatch all = new CountDownLatch(count);
    AtomicLong next = new AtomicLong();
    Node one = open(1);
    Node two = open(2);
    two.handle(
        Blob.class,
        Dispatch.POOLED.inOrder(),
        (blob, exchange) -> {
          long expected = next.getAndIncrement();
          if (blob.seed() != expected
              || !Arrays.equals(blob.bytes(), blob(expected, blob.bytes().length).bytes())) {
            wrong.add("got " + blob.seed() + " instead of " + expected);
          }
          all.countDown();
        });
    SplittableRandom random = new SplittableRandom(42);
    for (int number = 0; number < count; number++) {
      int size = 1 << random.nextInt(1, 31 - Integer.numberOfLeadingZeros(largestSize() / 16));
      one.send(2, blob(number, random.nextInt(size)));
    }
    awaitAll(all);
    assertThat(wrong).isEmpty();
  }

  @Test
  void shouldCarryLargestMessageAndRefuseLonger() {
    if (largestSize() < MAX_LENGTH) {
      return; // it would take too long
    }
    Node one = open(1);
    Node two = open(2);
    AtomicLong received = new AtomicLong(-1);
    two.handle(
        Blob.class,
        (blob, exchange) -> {
          received.set(blob.bytes().length);
          exchange.reply(new Echo(Arrays.hashCode(blob.bytes()), ""));
        });
    Blob blob = blob(7, MAX_LENGTH - BESIDE);
    assertThat(one.request(2, blob, Echo.class, TestNodes.PATIENCE).number())
        .isEqualTo(Arrays.hashCode(blob.bytes()));
    assertThat(received.get()).isEqualTo(blob.bytes().length);
    assertThatThrownBy(() -> one.send(2, blob(7, MAX_LENGTH + 1)))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("Blob");
    assertThat(one.request(2, blob(8, 10), Echo.class, TestNodes.PATIENCE)).isNotNull();
  }

  @Test
  void shouldServeManyProducersOfRequestsAndMessages() throws Exception {
    int threadCount = 16;
    int each = Math.max(20, many() / 500);
    AtomicInteger handled = new AtomicInteger();
    Node one = open(1);
    Node two = open(2);
    two.handle(Echo.class, Dispatch.INLINE, (echo, exchange) -> exchange.reply(echo));
    two.handle(Numbered.class, (message, exchange) -> handled.incrementAndGet());
    Threads threads = new Threads();
    for (int thread = 0; thread < threadCount; thread++) {
      int id = thread;
      threads.start(() -> {
        for (int n = 0; n < each; n++) {
          Echo echo = new Echo((long) id * each + n, "x".repeat(n % 100));
          assertThat(one.request(2, echo, Echo.class, TestNodes.PATIENCE)).isEqualTo(echo);
          one.send(2, new Numbered(id, n));
        }
      });
    }
    threads.join();
    Awaiting.await("all handled", () -> handled.get() == threadCount * each);
  }

  /** Until there is no credit left; while the ring is full only, there is soon room again. */
  private static long sendUntilHeldBack(Node node, Blob blob) {
    long accepted = 0;
    while (true) {
      SendStatus status = node.trySend(2, blob);
      if (status != SendStatus.ACCEPTED) {
        assertThat(status).isEqualTo(SendStatus.BACK_PRESSURED);
        try {
          node.send(2, blob, Duration.ZERO);
        } catch (BackPressureException e) {
          assertThat(accepted).isPositive();
          return accepted;
        }
      }
      accepted++;
      assertThat(accepted).as("never held back").isLessThan(100_000);
    }
  }

  @Test
  void shouldHoldSendersBackAndLoseNothing() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicLong handled = new AtomicLong();
    Node one = open(1);
    Node two = open(2);
    two.handle(Echo.class, Dispatch.INLINE, (echo, exchange) -> exchange.reply(echo));
    two.handle(
        Blob.class,
        Dispatch.POOLED.inOrder(),
        (blob, exchange) -> {
          awaitAll(gate);
          handled.incrementAndGet();
        });
    one.request(2, new Echo(1, "connect"), Echo.class, TestNodes.PATIENCE);
    Blob blob = blob(1, 1000);
    long accepted = sendUntilHeldBack(one, blob);
    Threads threads = new Threads();
    threads.start(() -> one.send(2, blob)); // waits
    gate.countDown();
    threads.join();
    long expected = accepted + 1;
    Awaiting.await("all handled", () -> handled.get() == expected);
  }

  @Test
  void shouldSendInBothDirectionsAtOnce() throws Exception {
    int count = many() / 2;
    CountDownLatch all = new CountDownLatch(2 * count);
    Node one = open(1);
    Node two = open(2);
    one.handle(Numbered.class, (message, exchange) -> all.countDown());
    two.handle(Numbered.class, (message, exchange) -> all.countDown());
    two.handle(Echo.class, Dispatch.INLINE, (echo, exchange) -> exchange.reply(echo));
    if (!bothListen()) { // node 2 can answer but not connect
      one.request(2, new Echo(1, "connect"), Echo.class, TestNodes.PATIENCE);
    }
    Threads threads = new Threads();
    threads.start(() -> sendMany(one, 2, count));
    threads.start(() -> sendMany(two, 1, count));
    threads.join();
    awaitAll(all);
  }

  private static void sendMany(Node from, int to, int count) {
    for (int number = 0; number < count; number++) {
      from.send(to, new Numbered(from.id(), number));
    }
  }

  @Test
  void shouldSurviveCrossingConnects() throws Exception {
    for (int round = 0; round < 10 && bothListen(); round++) {
      try (Node one = open(1);
          Node two = open(2)) {
        one.handle(Echo.class, Dispatch.INLINE, (echo, exchange) -> exchange.reply(echo));
        two.handle(Echo.class, Dispatch.INLINE, (echo, exchange) -> exchange.reply(echo));
        Threads threads = new Threads();
        for (Node node : List.of(one, two, one, two)) {
          threads.start(() -> {
            Echo echo = new Echo(node.id(), "crossing");
            int peer = 3 - node.id();
            assertThat(node.request(peer, echo, Echo.class, TestNodes.PATIENCE)).isEqualTo(echo);
          });
        }
        threads.join();
        assertThat(one.metrics().connections()).hasSize(1);
        assertThat(two.metrics().connections()).hasSize(1);
      }
    }
  }

  @Test
  void shouldEndRequestsAtOnceWhenPeerCloses() throws Exception {
    Queue<LossReport> losses = new ConcurrentLinkedQueue<>();
    NodeListener listener =
        new NodeListener() {
          @Override
          public void lost(LossReport report) {
            losses.add(report);
          }
        };
    Node one = open(settings(1).listener(listener));
    Node two = open(settings(2).closeTimeout(Duration.ofMillis(50)));
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    two.handle(
        Echo.class,
        Dispatch.BLOCKING,
        (echo, exchange) -> {
          asked.countDown();
          never.await(); // ends by the interrupt when the node closes, or below
        });
    CompletableFuture<Echo> pending = one.requestAsync(2, new Echo(1, ""), Echo.class);
    Threads threads = new Threads();
    threads.start(() ->
        assertThatThrownBy(() -> one.request(2, new Echo(2, ""), Echo.class, TestNodes.PATIENCE))
            .isInstanceOf(MessagingException.class));
    awaitAll(asked);
    two.close();
    never.countDown();
    threads.join();
    assertThatThrownBy(() -> pending.get(TestNodes.PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(MessagingException.class);
    Awaiting.await("loss is reported", () -> !losses.isEmpty());
    assertThat(losses).allMatch(report -> report.nodeId() == 2);
  }

  @Test
  void shouldConnectAgainWhenPeerRestarts() {
    Node one = open(1);
    for (int life = 0; life < 3; life++) {
      try (Node two = open(2)) {
        two.handle(Echo.class, Dispatch.INLINE, (echo, exchange) -> exchange.reply(echo));
        Echo echo = new Echo(life, "again");
        assertThat(persistentRequest(one, echo)).isEqualTo(echo);
      }
    }
  }

  /** The node may learn of the death of the previous life by this request, or back off. */
  private static Echo persistentRequest(Node node, Echo echo) {
    long deadlineNs = System.nanoTime() + TestNodes.PATIENCE.toNanos();
    while (true) {
      try {
        return node.request(2, echo, Echo.class, TestNodes.PATIENCE);
      } catch (MessagingException e) {
        if (System.nanoTime() - deadlineNs >= 0) {
          throw e;
        }
      }
    }
  }

  @Test
  void shouldSendToItself() {
    Node two = open(2);
    two.handle(Echo.class, (echo, exchange) -> exchange.reply(echo));
    Echo echo = new Echo(1, "me");
    assertThat(two.request(2, echo, Echo.class, TestNodes.PATIENCE)).isEqualTo(echo);
  }

  @Test
  void shouldLimitRequestsOutstanding() throws Exception {
    int limit = 8;
    Node one = open(settings(1).maxRequests(limit));
    Node two = open(2);
    CountDownLatch gate = new CountDownLatch(1);
    two.handle(
        Echo.class,
        Dispatch.BLOCKING,
        (echo, exchange) -> {
          awaitAll(gate);
          exchange.reply(echo);
        });
    List<CompletableFuture<Echo>> futures = new ArrayList<>();
    for (int number = 0; number < 2 * limit; number++) {
      futures.add(one.requestAsync(2, new Echo(number, ""), Echo.class));
    }
    Awaiting.await(
        "those beyond the limit fail",
        () -> futures.stream().filter(CompletableFuture::isDone).count() == limit);
    assertThat(futures).filteredOn(CompletableFuture::isCompletedExceptionally).hasSize(limit);
    gate.countDown();
    Awaiting.await("all end", () -> futures.stream().allMatch(CompletableFuture::isDone));
    assertThat(futures).filteredOn(CompletableFuture::isCompletedExceptionally).hasSize(limit);
    assertThat(one.request(2, new Echo(99, ""), Echo.class, TestNodes.PATIENCE).number())
        .isEqualTo(99);
  }

  @Test
  void shouldDeliverWhatWasAcceptedBeforeItCloses() throws Exception {
    int count = 10_000;
    AtomicLong handled = new AtomicLong();
    Node one = open(1);
    Node two = open(2);
    two.handle(Numbered.class, (message, exchange) -> handled.incrementAndGet());
    sendMany(one, 2, count);
    assertThat(one.close(TestNodes.PATIENCE).isClean()).isTrue();
    Awaiting.await("all handled", () -> handled.get() == count);
  }

  @Test
  void shouldNotBeLostByInterrupts() throws Exception {
    Node one = open(1);
    Node two = open(2);
    AtomicLong handled = new AtomicLong();
    two.handle(Echo.class, Dispatch.INLINE, (echo, exchange) -> exchange.reply(echo));
    two.handle(Numbered.class, (message, exchange) -> handled.incrementAndGet());
    AtomicLong accepted = new AtomicLong();
    CountDownLatch ready = new CountDownLatch(1);
    Threads threads = new Threads();
    Thread victim =
        threads.start(() -> {
          one.request(2, new Echo(0, ""), Echo.class, TestNodes.PATIENCE);
          ready.countDown();
          for (int n = 0; n < 500; n++) {
            try {
              one.send(2, new Numbered(1, n));
              accepted.incrementAndGet();
              one.request(2, new Echo(n, ""), Echo.class, TestNodes.PATIENCE);
            } catch (MessagingException e) {
              Thread.interrupted(); // that wait ended, nothing else did
            }
          }
        });
    awaitAll(ready);
    while (victim.isAlive()) {
      victim.interrupt();
      Thread.onSpinWait();
    }
    threads.join();
    Echo last = new Echo(1, "still there");
    assertThat(one.request(2, last, Echo.class, TestNodes.PATIENCE)).isEqualTo(last);
    Awaiting.await("all handled", () -> handled.get() >= accepted.get());
    assertThat(one.metrics().connectionsLost()).isZero();
  }

  @Test
  void shouldTellThatConnectionWasLost() {
    Node one = open(1);
    Node two = open(settings(2).closeTimeout(Duration.ofMillis(50)));
    two.handle(Echo.class, Dispatch.INLINE, (echo, exchange) -> exchange.reply(echo));
    one.request(2, new Echo(1, ""), Echo.class, TestNodes.PATIENCE);
    two.close();
    directory.remove(2);
    Awaiting.await("one notices", () -> one.metrics().connections().isEmpty());
    assertThatThrownBy(() -> one.request(2, new Echo(2, ""), Echo.class, Duration.ofSeconds(1)))
        .isInstanceOf(MessagingException.class)
        .isNotInstanceOf(ConnectionLostException.class);
  }
}
