package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.RetainedExchange;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Pooled handlers that wait for other nodes, whose pooled handlers wait for them. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({
  "RequestTimeoutException",
  "RemoteHandlerException",
  "NodeClosedException", // of what still waits at the end of a test, as the next two
  "NodeUnreachableException",
  "ConnectionLostException"
})
class CompensationTest {

  private static final int THREADS = 2;

  private static final int BLOCKS = 6;

  /** Goes to and fro so many times before it is answered. */
  record Hop(int rest) {}

  record Plain(long number) {}

  record Ordered(long number) {}

  record Block(long number, String text) {}

  /** A view of the bytes that have arrived. */
  record View(MemorySegment bytes) {}

  private static final Codec<View> VIEWS =
      new Codec<>() {
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
      };

  private final TestNodes nodes = new TestNodes("tcp");
  private volatile Duration timeout = PATIENCE;

  @AfterEach
  void end() {
    nodes.close();
  }

  private Node open(int id, int compensating) {
    Node node =
        nodes.open(
            id,
            settings ->
                settings
                    .handlerThreads(THREADS)
                    .compensatingThreads(compensating)
                    .catalog(catalog()));
    int other = 3 - id;
    node.handle(
        Hop.class,
        (hop, exchange) -> {
          if (hop.rest() > 0) {
            node.request(other, new Hop(hop.rest() - 1), Hop.class, timeout);
          }
          exchange.reply(hop);
        });
    return node;
  }

  private static MessageCatalog catalog() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(View.class, VIEWS);
    return catalog;
  }

  private static long handlerThreads(int nodeId) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("ringwire-" + nodeId + "-handler-"))
        .count();
  }

  private static void awaitPoolOfItsSize(int... ids) {
    for (int id : ids) {
      await("no thread in addition", () -> handlerThreads(id) <= THREADS);
    }
  }

  @Test
  void shouldLetPooledHandlersRequestFromEachOther() throws Exception {
    Node one = open(1, 64);
    Node two = open(2, 64);
    List<CompletableFuture<Hop>> ends = new ArrayList<>();
    for (int chain = 0; chain < 8; chain++) {
      ends.add(one.requestAsync(2, new Hop(5), Hop.class, PATIENCE));
      ends.add(two.requestAsync(1, new Hop(5), Hop.class, PATIENCE));
    }
    for (CompletableFuture<Hop> end : ends) {
      assertThat(end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Hop(5));
    }
    awaitPoolOfItsSize(1, 2);
  }

  @Test
  void shouldEndByDeadlineBeyondTheBoundAndRecover() throws Exception {
    Node one = open(1, 1);
    Node two = open(2, 1);
    one.request(2, new Hop(1), Hop.class, PATIENCE); // both know each other
    timeout = Duration.ofMillis(300);
    List<CompletableFuture<Hop>> ends = new ArrayList<>();
    for (int chain = 0; chain < 4; chain++) {
      ends.add(one.requestAsync(2, new Hop(5), Hop.class, PATIENCE));
      ends.add(two.requestAsync(1, new Hop(5), Hop.class, PATIENCE));
    }
    int failed = 0;
    for (CompletableFuture<Hop> end : ends) {
      try {
        end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        assertThat(e.getCause()).isInstanceOf(MessagingException.class);
        failed++;
      }
    }
    assertThat(failed).as("chains that a bounded pool could not finish").isPositive();
    await("the pools work again", () -> succeeds(one, 2) && succeeds(two, 1));
    awaitPoolOfItsSize(1, 2);
  }

  private static boolean succeeds(Node node, int other) {
    try {
      return node.request(other, new Hop(2), Hop.class, PATIENCE).equals(new Hop(2));
    } catch (MessagingException e) {
      return false; // what is left of chains that have failed is still in the way
    }
  }

  @Test
  void shouldStarveWithoutThreadsInAddition() {
    Node one = open(1, 0);
    open(2, 0);
    timeout = Duration.ofMillis(200);
    assertThatThrownBy(() -> one.request(2, new Hop(8), Hop.class, PATIENCE))
        .isInstanceOf(MessagingException.class);
    timeout = PATIENCE;
    awaitPoolOfItsSize(1, 2);
  }

  /** What waits behind a handler in its own lane goes on, but not what is ordered. */
  @Test
  void shouldGoOnWithTheLaneOfAHandlerThatWaitsUnlessItIsOrdered() throws Exception {
    Node one = open(1, 64);
    Node two = open(2, 64);
    CountDownLatch answer = new CountDownLatch(1);
    answerAfter(two, answer);
    Queue<Long> plain = new ConcurrentLinkedQueue<>();
    Queue<Long> ordered = new ConcurrentLinkedQueue<>();
    one.handle(
        Plain.class,
        (message, exchange) -> {
          if (message.number() == 0) {
            one.request(2, message, Plain.class, PATIENCE);
          }
          plain.add(message.number());
        });
    one.handle(
        Ordered.class,
        Dispatch.POOLED.inOrder(),
        (message, exchange) -> {
          if (message.number() == 0) {
            one.request(2, new Plain(0), Plain.class, PATIENCE);
          }
          ordered.add(message.number());
        });
    for (long number = 0; number < 100; number++) {
      two.send(1, new Ordered(number));
      two.send(1, new Plain(number));
    }
    await("all but the one that waits", () -> plain.size() == 99);
    assertThat(ordered).as("what is ordered waits").isEmpty();
    assertThat(plain).doesNotContain(0L);
    answer.countDown();
    await("all that is ordered", () -> ordered.size() == 100);
    await("the one that has waited", () -> plain.size() == 100);
    long expected = 0;
    for (long number : ordered) {
      assertThat(number).isEqualTo(expected++);
    }
    await("all is credited", () -> one.metrics().messagesHandled() == 200);
    awaitPoolOfItsSize(1);
  }

  /** No thread comes in addition, and one of the pool has nothing to do. */
  @Test
  void shouldLeaveItsLaneToOthersThoughNobodyTakesItsPlace() {
    int messages = 100;
    Node one = open(1, 0);
    Node two = open(2, 64);
    CountDownLatch allCame = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    answerAfter(two, answer);
    Queue<Long> handled = new ConcurrentLinkedQueue<>();
    one.handle(
        Plain.class,
        (plain, exchange) -> {
          if (plain.number() < THREADS) { // so that messages gather in both lanes
            assertThat(allCame.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
          }
          if (plain.number() == 0) {
            one.request(2, plain, Plain.class, PATIENCE);
          }
          handled.add(plain.number());
        });
    for (long number = 0; number < messages; number++) {
      two.send(1, new Plain(number));
    }
    await("all wait", () -> one.metrics().messagesReceived() == messages);
    allCame.countDown();
    await("all but the one that waits", () -> handled.size() == messages - 1);
    assertThat(handled).doesNotContain(0L);
    answer.countDown();
    await("the one that has waited, not in vain", () -> handled.size() == messages);
  }

  private static void answerAfter(Node node, CountDownLatch answer) {
    node.handle(
        Plain.class,
        Dispatch.BLOCKING,
        (plain, exchange) -> {
          assertThat(answer.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
          exchange.reply(plain);
        });
  }

  /** The ends of what they wait for need a thread, and all are theirs. */
  @Test
  void shouldEndFuturesThoughAllThreadsThatThereMayBeWaitForThem() {
    int compensating = 2;
    Node one = open(1, compensating);
    Node two = open(2, 64);
    CountDownLatch answer = new CountDownLatch(1);
    answerAfter(two, answer);
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    one.handle(
        Plain.class,
        (plain, exchange) -> {
          begun.incrementAndGet();
          one.requestAsync(2, plain, Plain.class, PATIENCE).join();
          ended.incrementAndGet();
        });
    int messages = 20;
    for (long number = 0; number < messages; number++) {
      two.send(1, new Plain(number));
    }
    await("as many wait as may", () -> begun.get() == THREADS + compensating);
    answer.countDown();
    await("all have ended", () -> ended.get() == messages);
    awaitPoolOfItsSize(1);
  }

  /** The memory of a message whose handler waits is its own until the handler has returned. */
  @Test
  void shouldKeepViewsOfAMessageWhoseHandlerWaits() throws Exception {
    Node one = open(1, 64);
    Node two = open(2, 64);
    two.handle(
        Plain.class,
        Dispatch.BLOCKING,
        (plain, exchange) -> {
          TimeUnit.MILLISECONDS.sleep(plain.number());
          exchange.reply(plain);
        });
    AtomicInteger good = new AtomicInteger();
    Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
    Queue<View> views = new ConcurrentLinkedQueue<>();
    one.handle(
        View.class,
        (view, exchange) -> {
          byte first = view.bytes().get(ValueLayout.JAVA_BYTE, 0);
          if (first % 5 == 0) {
            one.request(2, new Plain(5), Plain.class, PATIENCE);
          }
          if (isFilledWith(view, first)) {
            good.incrementAndGet();
          }
          if (first % 10 == 0) {
            views.add(view);
            retained.add(exchange.retain());
          }
        });
    int messages = 120;
    for (int number = 0; number < messages; number++) {
      byte[] bytes = new byte[3000];
      java.util.Arrays.fill(bytes, (byte) number);
      two.send(1, new View(MemorySegment.ofArray(bytes)));
    }
    await("all views are as they were sent", () -> good.get() == messages);
    await("all that are to be retained", () -> retained.size() == messages / 10);
    for (View view : views) {
      assertThat(isFilledWith(view, view.bytes().get(ValueLayout.JAVA_BYTE, 0))).isTrue();
    }
    await(
        "what is not retained is processed",
        () -> one.metrics().messagesHandled() == messages - messages / 10);
    retained.forEach(RetainedExchange::close);
    await("so is the rest", () -> one.metrics().messagesHandled() == messages);
  }

  private static boolean isFilledWith(View view, byte value) {
    for (long at = 0; at < view.bytes().byteSize(); at++) {
      if (view.bytes().get(ValueLayout.JAVA_BYTE, at) != value) {
        return false;
      }
    }
    return view.bytes().byteSize() == 3000;
  }

  /** What it waits for may need the room: of an order, or where there is no thread in addition. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldGiveBackWhatWasHandledBeforeAHandlerThatWaits(boolean ordered) {
    CompletableFuture<Object> answered = new CompletableFuture<>();
    Node one =
        nodes.open(1, settings -> settings.handlerThreads(1).compensatingThreads(ordered ? 64 : 0));
    Node two = open(2, 64);
    one.handle(
        Block.class,
        new Dispatch(Dispatch.Mode.POOLED, ordered),
        (block, exchange) -> {
          if (block.number() == 0) { // all of them are in one batch
            await("the others", () -> one.metrics().messagesReceived() >= BLOCKS);
          } else if (block.number() == BLOCKS - 1) {
            answered.complete(one.request(2, new Plain(1), Plain.class, PATIENCE));
          }
        });
    two.handle(
        Plain.class,
        Dispatch.BLOCKING,
        (plain, exchange) -> {
          sendBlocks(two);
          exchange.reply(plain);
        });
    sendBlocks(two);
    await("the answer", answered::isDone);
    assertThat(answered).isCompletedWithValue(new Plain(1));
  }

  /** More than half of a first window. */
  private static void sendBlocks(Node node) {
    for (int number = 0; number < BLOCKS; number++) {
      node.send(1, new Block(number, "a".repeat(8 << 10)));
    }
  }

  /** A handler's request leaves at once, whatever else the thread has put off. */
  @Test
  void shouldSendTheRequestOfAPooledHandlerAtOnce() {
    Node one = open(1, 0);
    open(2, 0);
    assertThat(one.request(2, new Hop(1), Hop.class, PATIENCE)).isEqualTo(new Hop(1));
  }
}
