package org.ringwire.engine.inbound.workers;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.ringwire.IdleStrategy;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.testing.FullHeap;

/**
 * Work for a worker whose timer finds no heap just before it begins, in a process that has none by
 * then for anything else either; says whether it is done when there is heap again.
 */
final class NoHeapWorkProgram {

  private static final long PATIENCE_NS = 20_000_000_000L;

  /** Time for the thread to find that; if it is too little nothing fails, and nothing is shown. */
  private static final long WITHOUT_NS = 300_000_000;

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
        FullHeap.fill();
        full.countDown();
        throw lacking;
      }
      return super.schedule(task, delay, unit);
    }
  }

  private final class Once extends Work {
    @Override
    public boolean run(HandlerWorker worker) {
      done.countDown();
      return false;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    new NoHeapWorkProgram().run();
    System.exit(0); // whatever the hunger has left behind
  }

  private void run() throws InterruptedException {
    Timers timers = new Timers();
    HandlerPool pool =
        new HandlerPool(1, 1, 0, IdleStrategy.parking(), new ErrorLog(1), timers, thread -> {});
    pool.worker(0, 0).submit(new Once());
    spin(PATIENCE_NS, full);
    spin(WITHOUT_NS, done);
    FullHeap.empty();
    System.out.println("was full: " + (full.getCount() == 0));
    System.out.println("done: " + done.await(PATIENCE_NS, TimeUnit.NANOSECONDS));
  }

  /** Waits without anything that may need heap. */
  private static void spin(long longestNs, CountDownLatch until) {
    long beganNs = System.nanoTime();
    while (until.getCount() > 0 && System.nanoTime() - beganNs < longestNs) {
      Thread.onSpinWait();
    }
  }
}
