package org.ringwire.engine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;
import static org.ringwire.testing.Undeclared.undeclared;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.LogRecorder;
import org.ringwire.testing.NodeWatcher;

/** A listener may block: nobody else waits for it, and nobody makes it collect events for ever. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"that the listener is not told", "node listener", "no thread for the node's"})
class ListenerThreadTest {

  record Ask(long number) {}

  /** Blocks in its first event until it may go on. */
  private static final class Blocking implements NodeListener {
    final CountDownLatch goOn = new CountDownLatch(1);
    final List<String> told = new CopyOnWriteArrayList<>();

    private void tell(String event) {
      try {
        boolean _ = goOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      told.add(event);
    }

    @Override
    public void connected(int nodeId) {
      tell("connected " + nodeId);
    }

    @Override
    public void lost(LossReport report) {
      tell("lost " + report.nodeId());
    }

    @Override
    public void refused(int nodeId, String reason) {
      tell("refused " + nodeId);
    }
  }

  @Test
  void shouldFreeConnectionsAndLetPeersComeBackWhileTheListenerBlocks() {
    Blocking listener = new Blocking();
    try (TestNodes nodes = new TestNodes("tcp")) {
      MessagingNode one = (MessagingNode) nodes.open(1, config -> config.listener(listener));
      one.handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(ask));
      for (int round = 0; round < 3; round++) {
        Node two = nodes.open(2);
        assertThat(two.request(1, new Ask(round), Ask.class, PATIENCE).number()).isEqualTo(round);
        two.close();
        await("it is settled and freed", () -> one.connections().allSettled());
      }
      assertThat(listener.told).isEmpty();
      listener.goOn.countDown();
      await("all is told in order", () -> listener.told.size() == 6);
      assertThat(listener.told)
          .containsExactly(
              "connected 2", "lost 2", "connected 2", "lost 2", "connected 2", "lost 2");
    } finally {
      listener.goOn.countDown();
    }
  }

  @Test
  void shouldKeepNoMoreRefusalsThanSoMany() {
    Blocking listener = new Blocking();
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      ListenerThread listening =
          new ListenerThread(listener, new ErrorLog(1), thread, (_, _) -> {});
      for (int i = 0; i < 5 * ListenerThread.MOST_REFUSALS; i++) {
        listening.refused(i, "on purpose");
      }
      listening.tell(told -> told.connected(7)); // is told whatever waits
      listener.goOn.countDown();
      await("all that waits is told", () -> listener.told.contains("connected 7"));
      assertThat(listener.told.size())
          .isBetween(ListenerThread.MOST_REFUSALS, ListenerThread.MOST_REFUSALS + 3);
      listening.refused(8, "on purpose");
      await("later ones are told again", () -> listener.told.contains("refused 8"));
    }
  }

  /** Makes no threads for a while, and tells what is to be begun again. */
  private static final class Threadless extends ThreadPoolExecutor {
    private volatile boolean starves = true;

    Threadless() {
      super(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
    }

    @Override
    public void execute(Runnable task) {
      if (starves) {
        throw new OutOfMemoryError("no thread, by the test");
      }
      super.execute(task);
    }
  }

  @Test
  void shouldTellInOrderWhatCameWhileNoThreadCouldBeMade() {
    Blocking listener = new Blocking();
    listener.goOn.countDown();
    Queue<Runnable> later = new ConcurrentLinkedQueue<>();
    try (Threadless thread = new Threadless()) {
      ListenerThread listening =
          new ListenerThread(listener, new ErrorLog(1), thread, (task, _) -> later.add(task));
      listening.tell(told -> told.connected(7));
      listening.refused(8, "on purpose");
      assertThat(later).as("one try for all").hasSize(1);
      later.remove().run();
      assertThat(listener.told).isEmpty();
      thread.starves = false;
      while (!later.isEmpty()) {
        later.remove().run();
      }
      await("all is told", () -> listener.told.size() == 2);
      assertThat(listener.told).containsExactly("connected 7", "refused 8");
    }
  }

  @Test
  void shouldTellAtItsEndWhatCameWhileNoThreadCouldBeMade() throws InterruptedException {
    Blocking listener = new Blocking();
    listener.goOn.countDown();
    try (Threadless thread = new Threadless()) {
      ListenerThread listening =
          new ListenerThread(listener, new ErrorLog(1), thread, (_, _) -> {});
      listening.tell(told -> told.connected(7));
      thread.starves = false;
      listening.close(System.nanoTime() + PATIENCE.toNanos());
      assertThat(listener.told).containsExactly("connected 7");
    }
  }

  /** More often than refusals may wait. */
  @Test
  void shouldKeepNoMoreRefusalsWhileNoThreadCanBeMade() {
    Blocking listener = new Blocking();
    listener.goOn.countDown();
    try (Threadless thread = new Threadless()) {
      ListenerThread listening =
          new ListenerThread(listener, new ErrorLog(1), thread, (_, _) -> {});
      for (int i = 0; i <= ListenerThread.MOST_EVENTS + 1; i++) {
        listening.refused(7, "on purpose");
      }
      assertThat(listening.isBehind()).isFalse();
      thread.starves = false;
      listening.tell(told -> told.connected(8));
      await("all that waits is told", () -> listener.told.contains("connected 8"));
      assertThat(listener.told).hasSize(ListenerThread.MOST_REFUSALS + 1);
    }
  }

  /** As a listener in another language may throw. */
  @Test
  void shouldLogACheckedExceptionThatNobodyHasDeclaredAndKeepTheThread() {
    List<Thread> threads = new CopyOnWriteArrayList<>();
    NodeListener throwing =
        new NodeListener() {
          @Override
          public void connected(int nodeId) {
            threads.add(Thread.currentThread());
            throw undeclared(new IOException("on purpose"));
          }
        };
    ErrorLog errors = new ErrorLog(1);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      ListenerThread listening = new ListenerThread(throwing, errors, thread, (_, _) -> {});
      listening.tell(told -> told.connected(7));
      listening.tell(told -> told.connected(8));
      await("both events", () -> threads.size() == 2);
    }
    assertThat(threads.getFirst()).isSameAs(threads.getLast());
    assertThat(errors.count()).isEqualTo(2);
  }

  /** A link may outlive its node, whose thread a handler has kept: nobody has to know. */
  @Test
  void shouldDropQuietlyWhatComesAfterTheEnd() throws InterruptedException {
    Logger logger = Logger.getLogger("org.ringwire");
    Level before = logger.getLevel();
    logger.setLevel(Level.ALL);
    Blocking listener = new Blocking();
    listener.goOn.countDown();
    try (LogRecorder recorder = LogRecorder.of(logger, Level.ALL);
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      ErrorLog errors = new ErrorLog(1);
      ListenerThread listening = new ListenerThread(listener, errors, thread, (_, _) -> {});
      listening.close(System.nanoTime() + PATIENCE.toNanos());
      for (int i = 0; i < 3; i++) {
        listening.tell(told -> told.connected(7));
      }
      assertThat(recorder.records())
          .hasSize(3)
          .allMatch(record -> record.getLevel().intValue() < Level.INFO.intValue())
          .allMatch(record -> record.getThrown() == null);
      assertThat(listening.isBehind()).isFalse();
      assertThat(errors.count()).isZero();
    } finally {
      logger.setLevel(before);
    }
    assertThat(listener.told).isEmpty();
  }

  @Test
  void shouldBeBehindUntilEventsWereTold() {
    Blocking listener = new Blocking();
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      ListenerThread listening =
          new ListenerThread(listener, new ErrorLog(1), thread, (_, _) -> {});
      for (int i = 0; i <= ListenerThread.MOST_EVENTS + 1; i++) {
        listening.tell(told -> told.connected(7));
      }
      assertThat(listening.isBehind()).isTrue();
      listener.goOn.countDown();
      await("it caught up", () -> !listening.isBehind());
    }
  }
}
