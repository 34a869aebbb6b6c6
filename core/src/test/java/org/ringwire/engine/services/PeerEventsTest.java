package org.ringwire.engine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.NodeListener;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;

/** A listener hears of the end of a connection before it hears of the next one to the same node. */
@ExtendWith(NodeWatcher.class)
class PeerEventsTest {

  record Event(long number) {}

  /** What was told, in order. */
  private record Told(List<String> events) implements NodeListener {

    @Override
    public void connected(int nodeId) {
      events.add("connected " + nodeId);
    }

    @Override
    public void lost(LossReport report) {
      events.add(report.cause());
    }
  }

  private final Told told = new Told(new CopyOnWriteArrayList<>());
  private final Queue<Runnable> timers = new ArrayDeque<>();
  private final PeerEvents events = new PeerEvents(this::tell, (timer, _) -> timers.add(timer));
  private boolean withoutHeap;

  private void tell(Consumer<NodeListener> event) {
    if (withoutHeap) {
      throw new OutOfMemoryError("as if");
    }
    event.accept(told);
  }

  private void open(int nodeId, Object connection) {
    events.begins(nodeId, connection);
    events.opened(nodeId, connection);
  }

  private void end(int nodeId, Object connection) {
    String cause = "lost " + connection;
    LossReport report = new LossReport(nodeId, EndReason.LINK_LOST, cause, 0, 0, 0, 0);
    events.ended(nodeId, connection, listener -> listener.lost(report));
  }

  /** Who finds no heap to tell of an end comes again; the next connection may open before that. */
  @Test
  void shouldTellOfAnEndOnceThoughTheNextConnectionOpensBeforeItsTellerComesAgain() {
    open(2, "a");
    withoutHeap = true;
    assertThatThrownBy(() -> end(2, "a")).isInstanceOf(OutOfMemoryError.class);
    withoutHeap = false;
    open(2, "b");
    end(2, "a");
    assertThat(told.events()).containsExactly("connected 2", "lost a", "connected 2");
  }

  @Test
  void shouldHoldBackWhatFollowsUntilTheEndIsTold() {
    open(2, "a");
    open(2, "b");
    end(2, "b");
    open(2, "c");
    open(3, "x");
    assertThat(told.events()).containsExactly("connected 2", "connected 3");
    end(2, "a");
    assertThat(told.events())
        .containsExactly(
            "connected 2", "connected 3", "lost a", "connected 2", "lost b", "connected 2");
    timers.forEach(Runnable::run);
    end(2, "c");
    end(3, "x");
    assertThat(told.events()).hasSize(8).endsWith("lost c", "lost x");
  }

  @Test
  void shouldTellInOrderWhatEndsBeforeItsBeginningIsTold() {
    events.begins(2, "a");
    end(2, "a");
    events.opened(2, "a");
    assertThat(told.events()).containsExactly("connected 2", "lost a");
    assertThat(timers).isEmpty();
  }

  @Test
  void shouldNotWaitForEverForAnEndThatIsNotKnown() {
    open(2, "a");
    open(2, "b");
    end(2, "b");
    timers.remove().run();
    assertThat(told.events()).containsExactly("connected 2", "connected 2", "lost b");
    open(2, "c");
    end(2, "a");
    assertThat(told.events()).hasSize(5).endsWith("connected 2", "lost a");
  }

  @Test
  void shouldTellInTheEndWhatStillWaits() {
    open(2, "a");
    open(2, "b");
    end(2, "b");
    open(2, "c");
    open(3, "x");
    events.close();
    assertThat(told.events())
        .containsExactlyInAnyOrder(
            "connected 2", "connected 3", "connected 2", "lost b", "connected 2");
  }

  /** Who tells of an end does it again; of a beginning is told before its end. */
  @Test
  void shouldTellOnceWhatThereWasNoHeapFor() {
    withoutHeap = true;
    assertThatThrownBy(() -> open(2, "a")).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> end(2, "a")).isInstanceOf(OutOfMemoryError.class);
    withoutHeap = false;
    end(2, "a");
    assertThat(told.events()).containsExactly("connected 2", "lost a");
  }

  /** The thread that accounts for the messages of the first connection has other things to do. */
  @Test
  void shouldTellOfTheNextConnectionWhenTheEndOfTheFirstIsKnown() throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes("tcp")) {
      MessagingNode one = (MessagingNode) nodes.open(1, settings -> settings.listener(told));
      nodes.open(2).handle(Event.class, (event, exchange) -> {});
      one.send(2, new Event(1));
      await("the first", () -> told.events().size() == 1);
      NodeServices services = one.connections().services();
      services.chores().execute(() -> await("the test", () -> goOn.getCount() == 0));
      one.connections().all().getFirst().end(EndReason.LINK_LOST, "on purpose");
      one.send(2, new Event(2));
      List<String> soFar = new ArrayList<>();
      CountDownLatch heard = new CountDownLatch(1);
      services
          .listening()
          .tell(_ -> {
            soFar.addAll(told.events());
            heard.countDown();
          });
      assertThat(heard.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      goOn.countDown();
      assertThat(soFar).containsExactly("connected 2");
      await("all", () -> told.events().size() == 3);
      assertThat(told.events()).containsExactly("connected 2", "on purpose", "connected 2");
    } finally {
      goOn.countDown();
    }
  }
}
