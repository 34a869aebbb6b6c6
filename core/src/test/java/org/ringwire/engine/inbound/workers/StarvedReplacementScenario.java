package org.ringwire.engine.inbound.workers;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ringwire.IdleStrategy;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.testing.Awaiting;

/**
 * A worker whose thread waits in a handler, and is to be replaced: there is no memory for the stack
 * of another thread, and before that shows the handler returns. Public, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public final class StarvedReplacementScenario implements BooleanSupplier {

  private static final long PATIENCE_S = 30;

  private static volatile StarvedReplacementScenario current;

  private final CountDownLatch waits = new CountDownLatch(1);
  private final CountDownLatch goesOn = new CountDownLatch(1);
  private final CountDownLatch behind = new CountDownLatch(1);
  private final CountDownLatch later = new CountDownLatch(1);
  private volatile HandlerThread first;

  /** By reflection. */
  public StarvedReplacementScenario() {}

  /** In place of the start of another thread. */
  public static void start(Thread successor) {
    StarvedReplacementScenario scenario = current;
    scenario.goesOn.countDown();
    Awaiting.await(
        "it has ended, or goes on as the owner",
        () -> !scenario.first.isAlive() || scenario.behind.getCount() == 0);
    throw new OutOfMemoryError("as if there was no memory for " + successor.getName());
  }

  private final class Waiting extends Work {
    @Override
    public boolean run(HandlerWorker worker) {
      first = (HandlerThread) Thread.currentThread();
      waits.countDown();
      awaitUninterrupted(goesOn);
      return false;
    }
  }

  private static final class Arrival extends Work {
    private final CountDownLatch arrived;

    Arrival(CountDownLatch arrived) {
      this.arrived = arrived;
    }

    @Override
    public boolean run(HandlerWorker worker) {
      arrived.countDown();
      return false;
    }
  }

  /** Whether the worker still runs what it is given, and nobody counts as waiting. */
  @Override
  public boolean getAsBoolean() {
    current = this;
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      Replacements replacements = new Replacements(1);
      HandlerWatch nobody = new HandlerWatch(timers, new HandlerWorker[0]);
      HandlerWorker worker =
          new HandlerWorker(
              "worker",
              IdleStrategy.parking(),
              new ErrorLog(0),
              replacements,
              nobody,
              thread -> {});
      worker.submit(new Waiting());
      awaitUninterrupted(waits);
      worker.submit(new Arrival(behind));
      replace(worker, first);
      worker.submit(new Arrival(later));
      boolean runs = awaitUninterrupted(later);
      worker.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
      return runs && replacements.count() == 0;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean awaitUninterrupted(CountDownLatch latch) {
    try {
      return latch.await(PATIENCE_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void replace(HandlerWorker worker, HandlerThread thread) {
    try {
      Method replace = HandlerWorker.class.getDeclaredMethod("tryReplace", HandlerThread.class);
      replace.setAccessible(true);
      replace.invoke(worker, thread);
    } catch (InvocationTargetException e) {
      throw new AssertionError(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
