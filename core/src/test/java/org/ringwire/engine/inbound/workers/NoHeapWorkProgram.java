package org.ringwire.engine.inbound.workers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.ringwire.IdleStrategy;
import org.ringwire.metrics.ErrorLog;

/**
 * Work for a worker whose timer finds no heap just before it begins, in a process that has none by
 * then for anything else either; says whether it is done when there is heap again. To be run
 * without buffers for the allocations of each thread, which would leave some heap to it.
 */
final class NoHeapWorkProgram {

  private static final int LARGE = 64 << 10;
  private static final int ROUNDS = 6;
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final long WITHOUT_NS = 300_000_000;

  private final List<Object> ballast = new ArrayList<>(1 << 21);
  private final CountDownLatch full = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  private NoHeapWorkProgram() {}

  /** Has no heap the first time. */
  private final class Timers extends ScheduledThreadPoolExecutor {

    private final OutOfMemoryError lacking = new OutOfMemoryError("as this program wants it");

    Timers() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      if (full.getCount() > 0) {
        fill(LARGE);
        for (int round = 0; round < ROUNDS; round++) { // each may let the collector find more
          fill(0);
        }
        full.countDown();
        throw lacking;
      }
      return super.schedule(task, delay, unit);
    }
  }

  private void fill(int length) {
    try {
      while (true) {
        ballast.add(new byte[length]);
      }
    } catch (OutOfMemoryError e) {
      // full
    }
  }

  private final class Once extends Work {
    @Override
    public boolean run(HandlerWorker worker) {
      done.countDown();
      return false;
    }
  }

  /** Waits without anything that may need heap. */
  private static void spin(long longestNs, CountDownLatch until) {
    long beganNs = System.nanoTime();
    while (until.getCount() > 0 && System.nanoTime() - beganNs < longestNs) {
      Thread.onSpinWait();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    new NoHeapWorkProgram().run();
  }

  private void run() throws InterruptedException {
    try (Timers timers = new Timers()) {
      ErrorLog errors = new ErrorLog(1);
      HandlerPool pool =
          new HandlerPool(1, 1, 0, IdleStrategy.parking(), errors, timers, thread -> {});
      pool.worker(0, 0).submit(new Once());
      spin(PATIENCE_NS, full);
      spin(WITHOUT_NS, done); // until that thread has found none, too
      ballast.clear();
      System.out.println("was full: " + (full.getCount() == 0));
      System.out.println("done: " + done.await(WITHOUT_NS * 20, TimeUnit.NANOSECONDS));
      timers.shutdownNow();
    }
    System.exit(0);
  }
}
