package org.ringwire.engine.inbound.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.engine.request.CompensatedFuture;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Threads of a pool that wait, and those in their place. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("as if there was no heap")
class HandlerPoolTest {

  private static final long PATIENCE_S = 30;

  /** Waits inside of the library, and finds no heap for handing itself on. */
  private static final class Starved extends Work {
    private final CountDownLatch failed = new CountDownLatch(1);

    @Override
    public boolean run(HandlerWorker worker) {
      try {
        Waits.begin();
      } catch (OutOfMemoryError e) {
        failed.countDown();
      }
      return false;
    }

    @Override
    public void handOn(HandlerWorker worker) {
      throw new OutOfMemoryError("as if there was no heap");
    }
  }

  @Test
  void shouldCountNobodyAsWaitingWhoCouldNotHandOn() throws InterruptedException {
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      HandlerPool pool =
          new HandlerPool(1, 1, 1, IdleStrategy.parking(), new ErrorLog(1), timers, thread -> {});
      Starved starved = new Starved();
      pool.worker(0, 0).submit(starved);
      assertThat(starved.failed.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      await("nobody waits", () -> pool.waiting() == 0);
      pool.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
    }
  }

  private static HandlerPool poolOf(int threads, ScheduledExecutorService timers) {
    return new HandlerPool(
        1, threads, 0, IdleStrategy.parking(), new ErrorLog(1), timers, thread -> {});
  }

  /** What ends the wait is behind the one that waits, and there is no other thread. */
  @Test
  void shouldEndAWaitForWhatWasQueuedBehindItBefore() throws InterruptedException {
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      HandlerPool pool = poolOf(1, timers);
      CountDownLatch ended = new CountDownLatch(1);
      CompletableFuture<Integer> future = new CompensatedFuture<>();
      pool.execute(() -> {
        pool.execute(() -> future.complete(1));
        future.join();
        ended.countDown();
      });
      assertThat(ended.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      pool.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
    }
  }

  /** Nor does a task wait for another one that waits as well. */
  @Test
  void shouldEndWaitsForTasksThatAreAddedWhileAllThreadsWait() throws InterruptedException {
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      HandlerPool pool = poolOf(2, timers);
      int waits = 4;
      CountDownLatch begun = new CountDownLatch(waits);
      CountDownLatch ended = new CountDownLatch(waits);
      CompletableFuture<Integer> future = new CompensatedFuture<>();
      for (int wait = 0; wait < waits; wait++) {
        pool.execute(() -> {
          begun.countDown();
          future.join();
          ended.countDown();
        });
      }
      assertThat(begun.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      pool.execute(() -> future.complete(1));
      assertThat(ended.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      pool.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
    }
  }

  /** A worker does some of it, and there is always more. */
  private static final class Endless extends Work {
    private volatile boolean ended;

    @Override
    public boolean run(HandlerWorker worker) {
      return !ended;
    }
  }

  /** Has an end. */
  private static final class Once extends Work {
    private final Runnable what;

    Once(Runnable what) {
      this.what = what;
    }

    @Override
    public boolean run(HandlerWorker worker) {
      what.run();
      return false;
    }
  }

  /** The first workers, as many as are to begin, are in handlers from now on. */
  private static void takeLong(HandlerPool pool, CountDownLatch begun, CountDownLatch end)
      throws InterruptedException {
    for (int worker = (int) begun.getCount() - 1; worker >= 0; worker--) {
      pool.worker(0, worker)
          .submit(
              new Once(() -> {
                begun.countDown();
                awaitUninterruptedly(end);
              }));
    }
    assertThat(begun.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
  }

  /** One of two threads is in a handler that takes long, and the other one is never idle. */
  @Test
  void shouldTakeWhatIsBehindAnotherThoughThereIsNoEndOfItsOwn() throws InterruptedException {
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      HandlerPool pool = poolOf(2, timers);
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      CountDownLatch taken = new CountDownLatch(1);
      Endless endless = new Endless();
      takeLong(pool, begun, end);
      pool.worker(0, 1).submit(endless);
      pool.worker(0, 0).submit(new Once(taken::countDown));
      boolean isTaken = taken.await(PATIENCE_S / 2, TimeUnit.SECONDS);
      end.countDown();
      endless.ended = true;
      pool.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
      assertThat(isTaken).isTrue();
    }
  }

  /** Two of three threads are in handlers that take long, and behind one of them is no end. */
  @Test
  void shouldTakeWhatIsBehindEachOfThoseThatTakeLong() throws InterruptedException {
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      HandlerPool pool = poolOf(3, timers);
      CountDownLatch begun = new CountDownLatch(2);
      CountDownLatch end = new CountDownLatch(1);
      CountDownLatch taken = new CountDownLatch(1);
      AtomicBoolean ended = new AtomicBoolean();
      takeLong(pool, begun, end);
      for (int lane = 0; lane < 8; lane++) {
        comeAgain(pool, ended);
      }
      pool.worker(0, 1).submit(new Once(taken::countDown));
      boolean isTaken = taken.await(PATIENCE_S / 2, TimeUnit.SECONDS);
      ended.set(true);
      end.countDown();
      pool.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
      assertThat(isTaken).isTrue();
    }
  }

  /** There is something behind the first worker, whoever takes it. */
  private static void comeAgain(HandlerPool pool, AtomicBoolean ended) {
    pool.worker(0, 0)
        .submit(
            new Once(() -> {
              if (!ended.get()) {
                comeAgain(pool, ended);
              }
            }));
  }

  /** Another thread costs more than a moment; one that was late did not make all of them late. */
  @Test
  void shouldStartNoThreadForAWaitThatIsOverAtOnce() throws InterruptedException {
    int rounds = 200;
    AtomicInteger started = new AtomicInteger();
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      HandlerPool pool =
          new HandlerPool(
              1,
              1,
              1,
              IdleStrategy.parking(),
              new ErrorLog(1),
              timers,
              thread -> started.incrementAndGet());
      for (int round = 0; round < rounds; round++) {
        CompletableFuture<Thread> waiter = new CompletableFuture<>();
        CompletableFuture<Integer> future = new CompensatedFuture<>();
        CountDownLatch ended = new CountDownLatch(1);
        pool.execute(() -> {
          waiter.complete(Thread.currentThread());
          future.join();
          ended.countDown();
        });
        Thread thread = waiter.join();
        while (LockSupport.getBlocker(thread) == null) {
          Thread.onSpinWait();
        }
        future.complete(1);
        assertThat(ended.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(started).as("threads, for waits=%s", rounds).hasValueLessThan(rounds);
      pool.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
    }
  }

  /** A thread that has come to its end helps nobody. */
  @Test
  void shouldEndAWaitThatBeginsWhileThePoolCloses() throws InterruptedException {
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      HandlerPool pool = poolOf(2, timers);
      CountDownLatch both = new CountDownLatch(2);
      CountDownLatch closes = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      CompletableFuture<Integer> future = new CompensatedFuture<>();
      pool.execute(() -> {
        both.countDown();
        awaitUninterruptedly(closes);
        future.join();
        ended.countDown();
      });
      pool.execute(both::countDown);
      assertThat(both.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      pool.drain(System.nanoTime()); // gives up at once
      pool.execute(() -> future.complete(1)); // behind the one that is going to wait
      closes.countDown();
      assertThat(ended.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      pool.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
    }
  }

  private static void awaitUninterruptedly(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A timer that has no heap for what it is told first. */
  private static final class StarvedTimer extends ScheduledThreadPoolExecutor {
    private final AtomicBoolean starved = new AtomicBoolean();

    StarvedTimer() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      if (starved.compareAndSet(false, true)) {
        throw new OutOfMemoryError("as if there was no heap");
      }
      return super.schedule(task, delay, unit);
    }
  }

  @Test
  void shouldRunWorkThoughThereIsNoHeapToWatchIt() throws InterruptedException {
    CountDownLatch run = new CountDownLatch(1);
    try (StarvedTimer timers = new StarvedTimer()) {
      HandlerPool pool =
          new HandlerPool(1, 1, 1, IdleStrategy.parking(), new ErrorLog(1), timers, thread -> {});
      pool.execute(run::countDown);
      assertThat(run.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      pool.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
    }
  }

  /** It runs on a thread that is started by who comes too late. */
  @Test
  void shouldRunWhatComesAfterTheEndWithTheContextOfWhoOpenedThePool() throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    ClassLoader application = new ClassLoader(before) {};
    InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
    CompletableFuture<ClassLoader> context = new CompletableFuture<>();
    CompletableFuture<Boolean> inherits = new CompletableFuture<>();
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      Thread.currentThread().setContextClassLoader(application);
      HandlerPool pool = poolOf(1, timers);
      Thread.currentThread().setContextClassLoader(before);
      pool.execute(() -> {}); // a thread that has never begun does not end
      pool.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
      user.set("somebody");
      pool.execute(() -> {
        context.complete(Thread.currentThread().getContextClassLoader());
        inherits.complete(user.get() != null);
      });

      assertThat(context.get(PATIENCE_S, TimeUnit.SECONDS)).isSameAs(application);
      assertThat(inherits.get(PATIENCE_S, TimeUnit.SECONDS)).isFalse();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
      user.remove();
    }
  }
}
