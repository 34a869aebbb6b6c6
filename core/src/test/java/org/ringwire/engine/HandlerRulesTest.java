package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RetainedExchange;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/**
 * The rules of the design on what handlers may do and see: 7 to 9 and 16; docs/rules.md lists all.
 */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class HandlerRulesTest {

  record Ask(long number) {}

  record Event(long number) {}

  record First(long number) {}

  record Second(long number) {}

  record Third(long number) {}

  /** Its constructor throws where it is told to. */
  record Picky(int number) {
    static final AtomicBoolean REFUSES = new AtomicBoolean();

    Picky {
      if (REFUSES.get() && number == 13) {
        throw new IllegalArgumentException("constructor failed on purpose");
      }
    }
  }

  /** As well-behaved code does that was interrupted: with its status set, no thread parks. */
  @Test
  void shouldForgetTheInterruptThatAHandlerLeavesBehind() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Node two = nodes.open(2, settings -> settings.handlerThreads(1));
      Queue<Boolean> interrupted = new ConcurrentLinkedQueue<>();
      Queue<Thread> threads = new ConcurrentLinkedQueue<>();
      two.handle(
          Event.class,
          Dispatch.POOLED.inOrder(),
          (event, exchange) -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            threads.add(Thread.currentThread());
            Thread.currentThread().interrupt();
          });
      for (int number = 0; number < 1000; number++) {
        one.send(2, new Event(number));
      }
      await("all", () -> interrupted.size() == 1000);
      assertThat(interrupted).containsOnly(false);
      await("it can park", () -> threads.stream().noneMatch(Thread::isInterrupted));
    }
  }

  /** As a watchdog does that comes too late. */
  @Test
  void shouldForgetTheInterruptThatComesAfterItsHandler() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Node two = nodes.open(2, settings -> settings.handlerThreads(1));
      Queue<Thread> threads = new ConcurrentLinkedQueue<>();
      two.handle(
          Event.class,
          Dispatch.POOLED.inOrder(),
          (event, exchange) -> threads.add(Thread.currentThread()));
      one.send(2, new Event(1));
      await("a thread", () -> !threads.isEmpty());
      Thread thread = threads.element();
      await("it has nothing to do", () -> thread.getState() == Thread.State.WAITING);
      thread.interrupt();
      await("it can park", () -> !thread.isInterrupted());
    }
  }

  /** As what hangs on a future does where its handler has forgotten to retain the exchange. */
  @ParameterizedTest
  @EnumSource(Dispatch.Mode.class)
  void shouldAnswerNoOtherRequestThroughAnExchangeThatIsUsedTooLate(Dispatch.Mode mode) {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Node two = nodes.open(2, settings -> settings.handlerThreads(1)); // so that both share a lane
      Queue<Exchange> left = new ConcurrentLinkedQueue<>();
      Queue<Throwable> told = new ConcurrentLinkedQueue<>();
      two.handle(
          Ask.class,
          new Dispatch(mode, false),
          (ask, exchange) -> {
            if (ask.number() < 2) {
              left.add(exchange);
              if (ask.number() == 1) {
                throw new IllegalStateException("on purpose");
              }
            } else {
              for (Exchange late : left) {
                told.add(catchThrowable(() -> late.reply(new Ask(-1))));
              }
              exchange.reply(ask);
            }
          });
      for (int number = 0; number < 2; number++) {
        Ask ask = new Ask(number);
        assertThatThrownBy(() -> one.request(2, ask, Ask.class, PATIENCE))
            .isInstanceOf(RemoteHandlerException.class);
      }
      assertThat(one.request(2, new Ask(2), Ask.class, PATIENCE)).isEqualTo(new Ask(2));
      assertThat(told)
          .hasSize(2)
          .allSatisfy(
              thrown -> assertThat(thrown).hasMessageContaining("valid during its handler only"));
    }
  }

  /** As who answers through the exchange, and not through what retaining it has returned. */
  @ParameterizedTest
  @EnumSource(
      value = Dispatch.Mode.class,
      names = {"POOLED", "BLOCKING"})
  void shouldAnswerNoOtherRequestThroughAnExchangeThatWasRetained(Dispatch.Mode mode) {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Node two = nodes.open(2, settings -> settings.handlerThreads(1));
      AtomicReference<Exchange> left = new AtomicReference<>();
      Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
      Queue<Throwable> told = new ConcurrentLinkedQueue<>();
      two.handle(
          Ask.class,
          new Dispatch(mode, false),
          (ask, exchange) -> {
            if (ask.number() == 0) {
              left.set(exchange);
              retained.add(exchange.retain());
            } else {
              told.add(catchThrowable(() -> left.get().reply(new Ask(-1))));
              exchange.reply(ask);
            }
          });
      CompletableFuture<Ask> first = one.requestAsync(2, new Ask(0), Ask.class);
      await("it is retained", () -> !retained.isEmpty());
      assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE)).isEqualTo(new Ask(1));
      retained.remove().reply(new Ask(0));
      assertThat(first.join()).isEqualTo(new Ask(0));
      assertThat(told).singleElement().isInstanceOf(IllegalStateException.class);
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
            assertThat(two.mayWait()).isFalse();
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
      assertThat(two.mayWait()).isTrue();
      assertThat(refused).hasSize(2);
      assertThat(refused)
          .allSatisfy(e -> assertThat(e).hasMessageContaining("register it as POOLED or BLOCKING"));
      release.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldRefuseAnInlineHandlerThatWouldWaitForAFuture(String transport) {
    Queue<Throwable> refused = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
      one.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
      two.handle(
          Ask.class,
          Dispatch.INLINE,
          (ask, exchange) -> {
            CompletableFuture<Ask> future = two.requestAsync(1, ask, Ask.class, PATIENCE);
            List<Callable<Ask>> waits =
                List.of(
                    future::join,
                    future::get,
                    () -> future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS),
                    () -> future.thenApply(answer -> answer).join());
            for (Callable<Ask> wait : waits) {
              try {
                Ask _ = wait.call();
              } catch (IllegalStateException e) {
                refused.add(e);
              }
            }
            assertThat(future.getNow(ask)).isEqualTo(ask); // does not wait
            exchange.reply(ask);
          });
      assertThat(one.request(2, new Ask(3), Ask.class, PATIENCE).number()).isEqualTo(3);
      assertThat(refused)
          .hasSize(4)
          .allSatisfy(e -> assertThat(e).hasMessageContaining("register it as POOLED or BLOCKING"));
      await("the request", () -> !retained.isEmpty());
      retained.forEach(RetainedExchange::close);
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

  @Test
  void shouldStartHandlerThreadsWithTheirFirstWorkOnly() {
    Queue<Long> events = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(711);
      Node two = nodes.open(712);
      two.handle(Event.class, Dispatch.INLINE, (event, exchange) -> events.add(event.number()));
      two.handle(Ask.class, Dispatch.POOLED, (ask, exchange) -> exchange.reply(ask));
      one.send(712, new Event(1));
      await("the event", () -> events.size() == 1);
      assertThat(handlerThreads(712)).isZero();
      assertThat(one.request(712, new Ask(5), Ask.class, PATIENCE).number()).isEqualTo(5);
      assertThat(handlerThreads(712)).isEqualTo(1);
      assertThat(handlerThreads(711)).isZero();
    }
  }

  private static long handlerThreads(int nodeId) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("ringwire-" + nodeId + "-handler-"))
        .count();
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
}
