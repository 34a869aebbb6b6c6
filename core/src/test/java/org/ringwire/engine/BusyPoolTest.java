package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.testing.NodeWatcher;

/**
 * A pool is at work as long as there is some: handlers that take long, and wait outside of this
 * library, hold up nothing but their own thread.
 */
@ExtendWith(NodeWatcher.class)
class BusyPoolTest {

  /** Its handler takes as long as the test likes. */
  record Chore(int number) {}

  record Later(int number) {}

  record Quick(int number) {}

  /** Shorter than any handler of this test waits for its end. */
  private static final Duration SOON = PATIENCE.dividedBy(2);

  /** Shorter than the time after which a look at idle links writes whatever was forgotten. */
  private static final Duration AT_ONCE = PATIENCE.dividedBy(6);

  private final TestNodes nodes = new TestNodes("tcp");
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void close() {
    end.countDown();
    nodes.close();
  }

  private Node open(int id, int threads) {
    Node node =
        nodes.open(id, settings -> settings.handlerThreads(threads).keepAlive(Duration.ofHours(1)));
    node.handle(
        Quick.class,
        (quick, exchange) -> {
          if (exchange.isRequest()) {
            exchange.reply(quick);
          }
        });
    return node;
  }

  /** One thread of a node's pool has a handler that does not end. */
  private void occupy(Node sender, Node node) {
    CountDownLatch begun = new CountDownLatch(1);
    node.handle(
        Chore.class,
        (task, exchange) -> {
          begun.countDown();
          awaitEnd();
        });
    sender.send(node.id(), new Chore(1));
    await("it has begun", () -> begun.getCount() == 0);
  }

  private void awaitEnd() {
    try {
      assertThat(end.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldRunAsManyHandlersAtATimeAsThereAreThreads() {
    int threads = 4;
    CyclicBarrier together = new CyclicBarrier(threads);
    Queue<Integer> met = new ConcurrentLinkedQueue<>();
    Node one = open(1, threads);
    Node two = open(2, threads);
    two.handle(
        Chore.class,
        (task, exchange) -> {
          try {
            together.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            met.add(task.number());
          } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError(e);
          }
        });
    for (int number = 0; number < threads; number++) {
      one.send(2, new Chore(number));
    }
    await("all have met", () -> met.size() == threads);
  }

  /** Else one of them would do all of it later, and the others nothing. */
  @Test
  void shouldShareWhatComesWhileAllThreadsAreHeldUp() {
    int threads = 2;
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(threads);
    CyclicBarrier together = new CyclicBarrier(threads);
    Queue<Integer> met = new ConcurrentLinkedQueue<>();
    Node one = open(1, threads);
    Node two =
        nodes.open(
            2,
            settings ->
                settings
                    .handlerThreads(threads)
                    .compensatingThreads(0)
                    .keepAlive(Duration.ofHours(1)));
    two.handle(
        Chore.class,
        (task, exchange) -> {
          if (task.number() < threads) {
            begun.countDown();
            assertThat(go.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return;
          }
          together.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
          met.add(task.number());
        });
    for (int number = 0; number < threads; number++) {
      one.send(2, new Chore(number));
    }
    await("they have begun", () -> begun.getCount() == 0);
    // Whose end is told by another thread only once all are known to be held up.
    assertThat(two.requestAsync(1, new Quick(1), Quick.class).join()).isEqualTo(new Quick(1));
    for (int number = threads; number < 2 * threads; number++) {
      one.send(2, new Chore(number));
    }
    await("they wait", () -> two.metrics().messagesReceived() == 2L * threads);
    go.countDown();
    await("all have met", () -> met.size() == threads);
  }

  @Test
  void shouldAnswerOthersOfTheSameConnectionMeanwhile() {
    Node one = open(1, 4);
    Node two = open(2, 4);
    two.handle(Chore.class, (task, exchange) -> awaitEnd());
    one.send(2, new Chore(1));
    one.send(2, new Chore(2));
    for (int number = 0; number < 40; number++) {
      assertThat(one.request(2, new Quick(number), Quick.class, SOON).number()).isEqualTo(number);
    }
  }

  @Test
  void shouldAnswerOtherPeersMeanwhile() {
    Node two = open(2, 4);
    occupy(open(1, 2), two);
    for (int id = 3; id < 12; id++) {
      assertThat(open(id, 2).request(2, new Quick(id), Quick.class, SOON).number()).isEqualTo(id);
    }
  }

  /** A millisecond each, until the test is over. */
  private static void handleChores(
      Node node, CountDownLatch go, BooleanSupplier isOver, AtomicLong handled) {
    node.handle(
        Chore.class,
        (task, exchange) -> {
          while (go.getCount() > 0) { // at work: a thread that waits has another in its place
            Thread.onSpinWait();
          }
          long endNs = System.nanoTime() + 1_000_000;
          while (!isOver.getAsBoolean() && System.nanoTime() - endNs < 0) {
            Thread.onSpinWait();
          }
          handled.incrementAndGet();
        });
  }

  /** Short handlers, which are so many that together they take as long as the test likes. */
  @Test
  void shouldAnswerOtherPeersBetweenTheManyMessagesOfOne() {
    int many = 2000;
    AtomicLong handled = new AtomicLong();
    AtomicLong before = new AtomicLong(-1);
    CountDownLatch go = new CountDownLatch(1);
    Node one = open(1, 1);
    Node two = nodes.open(2, settings -> settings.handlerThreads(1));
    Node three = open(3, 1);
    two.handle(Quick.class, (quick, exchange) -> exchange.reply(quick));
    handleChores(two, go, () -> before.get() >= 0, handled);
    two.handle(Turn.class, (turn, exchange) -> before.set(handled.get()));
    three.request(2, new Quick(1), Quick.class, PATIENCE);
    for (int number = 0; number < many; number++) {
      one.send(2, new Chore(number));
    }
    await("they wait", () -> two.metrics().messagesReceived() == 1 + many);
    three.send(2, new Turn(3, 1));
    await("so does another", () -> two.metrics().messagesReceived() == 2 + many);
    go.countDown();
    await("it is handled", () -> before.get() >= 0);
    assertThat(before.get()).isLessThan(many);
  }

  /** What waits lies behind the one, and who could come for it is in the batch of the other. */
  @Test
  void shouldAnswerThoseBehindALongHandlerBetweenTheManyMessagesOfOne() {
    int many = 2000;
    AtomicLong handled = new AtomicLong();
    Queue<Long> before = new ConcurrentLinkedQueue<>();
    CountDownLatch go = new CountDownLatch(1);
    Node two = nodes.open(2, settings -> settings.handlerThreads(2));
    two.handle(Quick.class, (quick, exchange) -> exchange.reply(quick));
    two.handle(
        Later.class,
        (later, exchange) -> {
          while (before.size() < 2 && handled.get() < many) { // at work
            Thread.onSpinWait();
          }
        });
    handleChores(two, go, () -> before.size() == 2, handled);
    two.handle(Turn.class, (turn, exchange) -> before.add(handled.get()));
    List<Node> peers = new ArrayList<>();
    for (int id = 3; id <= 6; id++) { // one after the other, so that their lanes take turns
      Node peer = open(id, 1);
      peer.request(2, new Quick(1), Quick.class, PATIENCE);
      peers.add(peer);
    }
    peers.get(0).send(2, new Later(1));
    for (int number = 0; number < many; number++) {
      peers.get(1).send(2, new Chore(number));
    }
    peers.get(2).send(2, new Turn(5, 1));
    peers.get(3).send(2, new Turn(6, 1));
    await("all wait", () -> two.metrics().messagesReceived() == 7 + many);
    go.countDown();
    await("both are handled", () -> before.size() == 2);
    assertThat(before).allMatch(chores -> chores < many);
  }

  @Test
  void shouldAnswerWhileEachThreadWaitsForSomething() {
    int threads = 2;
    Node two = open(2, threads);
    CountDownLatch begun = new CountDownLatch(2 * threads);
    two.handle(
        Chore.class,
        (task, exchange) -> {
          begun.countDown();
          awaitEnd();
        });
    for (int id = 3; id < 3 + 2 * threads; id++) {
      open(id, threads).send(2, new Chore(id));
    }
    await("all have begun", () -> begun.getCount() == 0);
    assertThat(open(1, threads).request(2, new Quick(1), Quick.class, SOON).number()).isEqualTo(1);
  }

  @Test
  void shouldEndFuturesMeanwhile() {
    Node one = open(1, 2);
    occupy(open(2, 2), one);
    List<CompletableFuture<Quick>> futures = new ArrayList<>();
    for (int number = 0; number < 20; number++) {
      CompletableFuture<Quick> future = one.requestAsync(2, new Quick(number), Quick.class, SOON);
      futures.add(future.thenApply(quick -> quick)); // who depends on it does so on the pool
    }
    futures.forEach(CompletableFuture::join);
  }

  @Test
  void shouldSendAnswersWhileTheHandlerGoesOn() {
    Node one = open(1, 2);
    Node two = open(2, 2);
    two.handle(
        Chore.class,
        (task, exchange) -> {
          exchange.reply(new Quick(task.number()));
          awaitEnd();
        });
    assertThat(one.request(2, new Quick(6), Quick.class, SOON).number()).isEqualTo(6);
    assertThat(one.request(2, new Chore(7), Quick.class, SOON).number()).isEqualTo(7);
  }

  /** The thread has waited for another node, so that it is none of the pool's own any more. */
  @Test
  void shouldSendAnswersOfAReplacedThreadWhileItsHandlerGoesOn() {
    Node one = open(1, 2);
    Node two = open(2, 2);
    answerWhenReplaced(one, two);
    two.handle(
        Chore.class,
        (task, exchange) -> {
          two.request(1, new Late(1), Quick.class, PATIENCE);
          exchange.reply(new Quick(task.number()));
          awaitEnd();
        });
    assertThat(one.request(2, new Chore(7), Quick.class, AT_ONCE).number()).isEqualTo(7);
  }

  /** As above, with what the handler asks and then waits for in its own way. */
  @Test
  void shouldSendRequestsOfAReplacedThreadWhileItsHandlerGoesOn() {
    Node one = open(1, 2);
    Node two = open(2, 2);
    answerWhenReplaced(one, two);
    two.handle(
        Chore.class,
        (task, exchange) -> {
          two.request(1, new Late(1), Quick.class, PATIENCE);
          exchange.reply(askAndWatch(two, 1));
        });
    assertThat(one.request(2, new Chore(7), Quick.class, PATIENCE).number()).isEqualTo(8);
  }

  /** A handler of a node whose program has another node, too. */
  @Test
  void shouldSendWhatGoesByAnotherNodeWhileTheHandlerGoesOn() {
    Node one = open(1, 2);
    Node two = open(2, 2);
    Node beside = open(3, 2);
    assertThat(beside.request(1, new Quick(6), Quick.class, SOON).number()).isEqualTo(6);
    two.handle(Chore.class, (task, exchange) -> exchange.reply(askAndWatch(beside, 1)));
    assertThat(one.request(2, new Chore(7), Quick.class, PATIENCE).number()).isEqualTo(8);
  }

  /** Waits for an answer in a way that this library knows nothing of. */
  private static Quick askAndWatch(Node node, int other) {
    CountDownLatch answered = new CountDownLatch(1);
    CompletableFuture<Quick> answer = node.requestAsync(other, new Quick(8), Quick.class, PATIENCE);
    CompletableFuture<Void> _ = answer.thenRun(answered::countDown);
    try {
      assertThat(answered.await(AT_ONCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return answer.join();
  }

  record Late(int number) {}

  /** Keeps a request until the thread that has sent it has another one in its place. */
  private static void answerWhenReplaced(Node node, Node sender) {
    node.handle(
        Late.class,
        Dispatch.BLOCKING,
        (late, exchange) -> {
          await("replaced", () -> sender.metrics().handlers().waiting() > 0);
          exchange.reply(new Quick(late.number()));
        });
  }

  /** Each waits for an answer that a thread of the same pool has to hand over. */
  @Test
  void shouldEndFuturesThatHandlersWaitFor() {
    Node one = open(1, 2);
    Node two = open(2, 2);
    two.handle(
        Chore.class,
        (task, exchange) -> {
          CompletableFuture<Quick> own =
              two.requestAsync(1, new Quick(task.number()), Quick.class, SOON);
          exchange.reply(own.thenApply(quick -> new Quick(quick.number() + 1)).join());
        });
    List<CompletableFuture<Quick>> futures = new ArrayList<>();
    for (int number = 0; number < 20; number++) {
      futures.add(one.requestAsync(2, new Chore(number), Quick.class, SOON));
    }
    for (int number = 0; number < 20; number++) {
      assertThat(futures.get(number).join().number()).isEqualTo(number + 1);
    }
  }

  /** Each peer has two links here, of which one brings messages. */
  @Test
  void shouldShareTheOrderedMessagesOfPeersAmongAllThreads() {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    Node target = open(1, 2);
    target.handle(
        Turn.class,
        Dispatch.POOLED.inOrder(),
        (turn, exchange) -> {
          threads.add(Thread.currentThread().getName());
          exchange.reply(turn);
        });
    for (int peer = 2; peer < 6; peer++) {
      Turn turn = new Turn(peer, 1);
      assertThat(open(peer, 2).request(1, turn, Turn.class, PATIENCE)).isEqualTo(turn);
    }
    assertThat(threads).hasSize(2);
  }

  /** Work changes hands again and again, and none is lost, doubled or, where that counts, late. */
  @Test
  void shouldHandleEachMessageOnceWhoeverTakesIt() {
    int peers = 3;
    int each = 300;
    Node target = open(1, 3);
    AtomicLong sum = new AtomicLong();
    AtomicLong handled = new AtomicLong();
    int[] lasts = new int[peers + 2];
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    target.handle(
        Chore.class,
        (task, exchange) -> {
          if (task.number() % 100 == 0) { // longer than a look of the watch, so that others help
            LockSupport.parkNanos(25_000_000);
          }
          sum.addAndGet(task.number());
          handled.incrementAndGet();
        });
    target.handle(
        Turn.class,
        Dispatch.POOLED.inOrder(),
        (turn, exchange) -> {
          if (turn.number() % 100 == 0) {
            LockSupport.parkNanos(25_000_000);
          }
          if (turn.number() != ++lasts[turn.peer()]) {
            wrong.add(turn.toString());
          }
          handled.incrementAndGet();
        });
    for (int peer = 2; peer < 2 + peers; peer++) {
      Node node = open(peer, 1);
      for (int number = 1; number <= each; number++) {
        node.send(1, new Chore(number));
        node.send(1, new Turn(peer, number));
      }
    }
    await("all", () -> handled.get() >= 2L * peers * each);
    assertThat(sum).hasValue((long) peers * each * (each + 1) / 2);
    assertThat(wrong).isEmpty();
  }

  /** Handled in the order of its numbers. */
  record Turn(int peer, int number) {}
}
