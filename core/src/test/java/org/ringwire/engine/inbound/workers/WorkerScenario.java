package org.ringwire.engine.inbound.workers;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.ringwire.IdleStrategy;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.testing.Awaiting;

/**
 * A worker whose thread has ended a batch with something left to do, and which the watch, having
 * seen it wait a moment before, has just given another thread; that one has found nothing to do and
 * sleeps. Public, because {@link org.ringwire.testing.MutantLoader} makes one.
 */
public final class WorkerScenario implements BooleanSupplier {

  private static volatile Runnable between = () -> {};

  private final CountDownLatch done = new CountDownLatch(1);
  private final AtomicInteger batches = new AtomicInteger();

  /** By reflection. */
  public WorkerScenario() {}

  /** Called before what is left is added; does once what the scenario has said. */
  public static void between() {
    Runnable once = between;
    between = () -> {};
    once.run();
  }

  private final class TwoBatches extends Work {
    @Override
    public boolean run(HandlerWorker current) {
      boolean more = batches.incrementAndGet() == 1;
      if (more) {
        Thread thread = Thread.currentThread();
        between = () -> replace(current, thread);
      } else {
        done.countDown();
      }
      return more;
    }
  }

  /** Whether the second batch comes. */
  @Override
  public boolean getAsBoolean() {
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      HandlerWorker[] workers = new HandlerWorker[1];
      HandlerWorker worker =
          new HandlerWorker(
              "worker",
              IdleStrategy.parking(),
              new ErrorLog(0),
              new Replacements(1),
              new HandlerWatch(timers, workers),
              thread -> {});
      workers[0] = worker;
      worker.submit(new TwoBatches());
      return done.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void replace(HandlerWorker worker, Thread thread) {
    try {
      Method replace = HandlerWorker.class.getDeclaredMethod("tryReplace", HandlerThread.class);
      replace.setAccessible(true);
      replace.invoke(worker, thread);
      Field owner = HandlerWorker.class.getDeclaredField("owner");
      owner.setAccessible(true);
      Thread successor = (Thread) owner.get(worker);
      if (successor.equals(thread)) {
        throw new AssertionError("it was not replaced");
      }
      Awaiting.await("it sleeps", () -> successor.getState() == Thread.State.WAITING);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
