package org.ringwire.lessons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.IdleStrategy;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Writer;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.lessons.OddCodec.Odd;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** What went wrong elsewhere at limits, tried on ours; by number of the lesson. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class LimitLessonsTest {

  record Ask(long number) {}

  record Answer(long number) {}

  record Event(long number) {}

  record Text(String text) {}

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

  // 22

  @Test
  void shouldCountTheCoresOfTheContainerOnly() {
    int cores = Runtime.getRuntime().availableProcessors();
    assertThat(NodeConfig.builder(1).build().handlerThreads()).isEqualTo(Math.max(2, cores));
    assertThat(NodeConfig.builder(1).build().idleStrategy()).isEqualTo(IdleStrategy.adaptive());
    assertThat(IdleStrategy.spinning().spins()).isEqualTo(cores >= 2);
  }
}
