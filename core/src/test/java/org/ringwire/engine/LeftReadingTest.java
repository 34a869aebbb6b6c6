package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.RetainedExchange;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;
import org.ringwire.transport.tcp.TcpTransportProvider;

/** When a thread of the transport is told to read again what requesters have read themselves. */
@ExtendWith(NodeWatcher.class)
class LeftReadingTest {

  record Question(long number) {}

  /** Not answered before the end. */
  record Poll(long number) {}

  private final AtomicInteger led = new AtomicInteger();
  private final AtomicInteger resumed = new AtomicInteger();
  private final Queue<RetainedExchange> polls = new ConcurrentLinkedQueue<>();
  private final TestNodes nodes = new TestNodes("tcp");
  private Node asking;

  /** Whoever leads waits for the thread of the transport, which reads. */
  private final class Led extends Tap {

    @Override
    public boolean lead(BooleanSupplier done, long deadlineNs) {
      await("there is an answer", done);
      led.incrementAndGet();
      return true;
    }

    @Override
    public void resumeReading() {
      resumed.incrementAndGet();
      super.resumeReading();
    }
  }

  @BeforeEach
  void open() {
    asking =
        nodes.open(
            1,
            settings -> settings,
            TappedTransport.provider(new TcpTransportProvider(), () -> new Led()));
    for (int id = 2; id <= 3; id++) {
      Node node = nodes.open(id);
      node.handle(
          Question.class, Dispatch.INLINE, (question, exchange) -> exchange.reply(question));
      node.handle(Poll.class, (poll, exchange) -> polls.add(exchange.retain()));
      ask(id);
    }
  }

  @AfterEach
  void close() {
    polls.forEach(RetainedExchange::close);
    nodes.close();
  }

  private void ask(int nodeId) {
    asking.request(nodeId, new Question(nodeId), Question.class, PATIENCE);
  }

  /** Nobody leads for an answer that is there before its request waits, which is asked again. */
  private void askLeading(int nodeId) {
    int before = led.get();
    await(
        "a request leads",
        () -> {
          ask(nodeId);
          return led.get() > before;
        });
  }

  private CompletableFuture<Poll> poll(int nodeId) {
    CompletableFuture<Poll> future = asking.requestAsync(nodeId, new Poll(nodeId), Poll.class);
    await("it is there", () -> !polls.isEmpty());
    return future;
  }

  @Test
  void shouldNotBeReadByTheTransportForWhoWaitsForAnotherNode() {
    CompletableFuture<Poll> waiting = poll(3);
    resumed.set(0);
    askLeading(2);
    assertThat(resumed).hasValue(0);
    assertThat(waiting).isNotDone();
  }

  @Test
  void shouldBeReadByTheTransportForWhoWaitsForTheSameNode() {
    CompletableFuture<Poll> waiting = poll(2);
    resumed.set(0);
    askLeading(2);
    assertThat(resumed).hasPositiveValue();
    assertThat(waiting).isNotDone();
  }

  /** Else its answer would wait for a tick or two of the thread that reads. */
  @Test
  void shouldBeReadByTheTransportForAFuture() {
    resumed.set(0);
    asking.requestAsync(2, new Question(1), Question.class).join();
    assertThat(resumed).hasPositiveValue();
  }
}
