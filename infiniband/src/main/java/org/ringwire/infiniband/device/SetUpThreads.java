package org.ringwire.infiniband.device;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes ends of connections ready for their peers. That may ask the network where an address is,
 * and wait a second for an answer that nobody gives; and whoever can connect may name such an
 * address, before anybody asks who it is. So it happens on threads of its own, and the one that
 * reads what all peers say of their ends goes on. The threads are daemons, which end when there is
 * nothing to do. They are platform threads: a call of the kernel would keep the carrier of a
 * virtual one.
 *
 * <p>Of those that others open, more than {@link #MOST} at once wait for each other; a link for no
 * longer than its attempt may take: then it has ended, and is passed over. Those that this side
 * opens have as many threads of their own, so that strangers do not hold them up.
 */
public final class SetUpThreads {

  /** Ends that are made ready at the same time, in each direction. */
  public static final int MOST = 16;

  private static final long KEPT_MS = 500;

  private final Pool opening;
  private final Pool accepting;
  private int running = 2; // pools; guarded by this, as the next
  private @Nullable Runnable last;

  /**
   * Without a thread, so far.
   *
   * @param prefix of the names of threads
   * @param maker makes a thread of its name and what it does, not started
   */
  public SetUpThreads(String prefix, BiFunction<String, Runnable, Thread> maker) {
    opening = new Pool(prefix + "-open-", maker);
    accepting = new Pool(prefix + "-accept-", maker);
  }

  /** Threads for one direction. */
  private final class Pool extends ThreadPoolExecutor {

    Pool(String prefix, BiFunction<String, Runnable, Thread> maker) {
      this(prefix, maker, new AtomicInteger());
    }

    private Pool(String prefix, BiFunction<String, Runnable, Thread> maker, AtomicInteger started) {
      super(
          MOST,
          MOST,
          KEPT_MS,
          TimeUnit.MILLISECONDS,
          new LinkedBlockingQueue<>(), // a link comes once, a node that asks for memory as well
          body -> maker.apply(prefix + started.getAndIncrement(), body));
      allowCoreThreadTimeOut(true);
    }

    @Override
    protected void terminated() {
      ended();
    }
  }

  /**
   * Does something that may wait; any thread.
   *
   * @param opens whether this side opens the connection
   * @throws java.util.concurrent.RejectedExecutionException after {@link #close}
   */
  public void run(boolean opens, Runnable step) {
    (opens ? opening : accepting).execute(step);
  }

  /** Takes nothing more; what waits is still done, which finds that its connection has ended. */
  public void close() {
    opening.shutdown();
    accepting.shutdown();
  }

  /**
   * Runs something when all is done that was taken before {@link #close}: now, or as the last that
   * a thread does. Once.
   */
  public void whenEnded(Runnable step) {
    synchronized (this) {
      if (running > 0) {
        last = step;
        return;
      }
    }
    step.run();
  }

  private void ended() {
    Runnable step;
    synchronized (this) {
      running--;
      step = running == 0 ? last : null;
    }
    if (step != null) {
      step.run();
    }
  }

  /** Waits for that, after {@link #close}; an interrupt does not end it, and is kept. */
  public void awaitEnd(long timeoutNs) {
    long deadlineNs = System.nanoTime() + timeoutNs;
    boolean interrupted = false;
    for (Pool pool : new Pool[] {opening, accepting}) {
      while (!pool.isTerminated() && deadlineNs - System.nanoTime() > 0) {
        try {
          boolean _ = pool.awaitTermination(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
