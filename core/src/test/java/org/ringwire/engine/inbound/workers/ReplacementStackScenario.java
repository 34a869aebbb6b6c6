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
 * The stack of a thread that is about to wait ends at each of the calls by which another one is to
 * take its place, and at all those that follow. Public, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public final class ReplacementStackScenario implements BooleanSupplier {

  private static final long PATIENCE_S = 30;
  private static final int MOST_CALLS = 100;
  private static int left = Integer.MAX_VALUE; // with the worker held

  /** By reflection. */
  public ReplacementStackScenario() {}

  /** Before each of the calls. */
  public static void between() {
    if (left == 0) {
      throw new StackOverflowError("as if the stack was at its end");
    }
    left--;
  }

  /** A thread of a worker, in a handler until the end. */
  private static final class Handler extends Work {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile HandlerThread thread;

    @Override
    public boolean run(HandlerWorker worker) {
      thread = (HandlerThread) Thread.currentThread();
      begun.countDown();
      return !awaitUninterrupted(end);
    }
  }

  /** Whether at no time one counts as waiting that is not replaced, nor after its end. */
  @Override
  public boolean getAsBoolean() {
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      return isCountedRight(timers, 0) && isCountedRight(timers, 1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isCountedRight(ScheduledExecutorService timers, int most)
      throws InterruptedException {
    int ends = 0;
    for (int calls = 0; calls < MOST_CALLS; calls++) {
      Replacements replacements = new Replacements(most);
      HandlerWorker worker =
          new HandlerWorker(
              "worker",
              IdleStrategy.parking(),
              new ErrorLog(0),
              replacements,
              new HandlerWatch(timers, new HandlerWorker[0]),
              thread -> {});
      Handler handler = new Handler();
      worker.submit(handler);
      boolean ended =
          awaitUninterrupted(handler.begun) && !tryReplace(worker, handler.thread, calls);
      int waiting = replacements.count();
      boolean replaced = owner(worker) != handler.thread;
      handler.end.countDown();
      worker.close(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S));
      Awaiting.await("nobody waits", () -> replacements.count() == 0);
      if (waiting != (replaced ? 1 : 0)) {
        return false;
      }
      if (!ended) {
        return ends > 1 && replaced == (most > 0);
      }
      ends++;
    }
    return false;
  }

  private static boolean awaitUninterrupted(CountDownLatch latch) {
    try {
      return latch.await(PATIENCE_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** False if the stack has ended. */
  private static boolean tryReplace(HandlerWorker worker, HandlerThread thread, int calls) {
    try {
      Method replace = HandlerWorker.class.getDeclaredMethod("tryReplace", HandlerThread.class);
      replace.setAccessible(true);
      left = calls;
      replace.invoke(worker, thread);
      return true;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof StackOverflowError) {
        return false;
      }
      throw new AssertionError(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    } finally {
      left = Integer.MAX_VALUE;
    }
  }

  private static Object owner(HandlerWorker worker) {
    try {
      var owner = HandlerWorker.class.getDeclaredField("owner");
      owner.setAccessible(true);
      return owner.get(worker);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
