package org.ringwire.engine.inbound.workers;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.ringwire.IdleStrategy;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.metrics.ErrorLog;

/**
 * A thread of the pool waits inside of the library, and leaves its lane to another worker, for
 * whose first thread there is no memory. Public, because {@link org.ringwire.testing.MutantLoader}
 * makes one.
 */
public final class StarvedHelpScenario implements BooleanSupplier {

  private static final long PATIENCE_S = 30;

  private static volatile boolean starved;

  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch waited = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(2);

  /** By reflection. */
  public StarvedHelpScenario() {}

  /** In place of the start of a worker's thread. */
  public static void start(Thread first) {
    if (starved) {
      throw new OutOfMemoryError("as if there was no memory for " + first.getName());
    }
    first.start();
  }

  private final class Lane extends Work {
    @Override
    public boolean run(HandlerWorker worker) {
      if (runs.getAndIncrement() == 0) {
        starved = true;
        Waits.begin();
        waited.countDown();
      }
      done.countDown();
      return false;
    }

    @Override
    public void handOn(HandlerWorker worker) {
      worker.submit(this);
    }
  }

  /** Whether the handler may wait, and what was behind it is done. */
  @Override
  public boolean getAsBoolean() {
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      HandlerPool pool =
          new HandlerPool(1, 2, 0, IdleStrategy.parking(), new ErrorLog(1), timers, thread -> {});
      pool.worker(0, 0).submit(new Lane());
      boolean all =
          done.await(PATIENCE_S, TimeUnit.SECONDS) && waited.await(PATIENCE_S, TimeUnit.SECONDS);
      starved = false;
      pool.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
      return all && runs.get() == 2;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
