package org.ringwire.infiniband.device;

import java.util.ArrayDeque;
import java.util.Queue;
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
 * longer than its attempt may take: then it has ended, and is passed over. Origins take turns: one
 * that names many addresses which nobody has keeps another one waiting until the first of its
 * threads has done with one of them, and no longer. Those that this side opens have as many threads
 * of their own, so that strangers do not hold them up.
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

  /** What waits of one origin. */
  private static final class Waiting {
    final String origin;
    final Queue<Runnable> steps = new ArrayDeque<>();

    Waiting(String origin) {
      this.origin = origin;
    }
  }

  /** Threads for one direction. */
  private final class Pool extends ThreadPoolExecutor {

    /** In the order of their turns; guarded by itself. */
    private final Queue<Waiting> turns = new ArrayDeque<>();

    /** For each step there is one, which does whose turn it is. */
    private final Runnable next = this::doNext;

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

    void add(String origin, Runnable step) {
      boolean taken = false;
      try {
        lineUp(origin, step);
        execute(next);
        taken = true;
      } finally {
        if (!taken) { // after the end, or for want of heap: another one is not to do it
          forget(step);
        }
      }
    }

    private void lineUp(String origin, Runnable step) {
      synchronized (turns) {
        for (Waiting each : turns) {
          if (each.origin.equals(origin)) {
            each.steps.add(step);
            return;
          }
        }
        Waiting first = new Waiting(origin);
        first.steps.add(step);
        turns.add(first);
      }
    }

    private void forget(Runnable step) {
      synchronized (turns) {
        for (Waiting each : turns) {
          if (each.steps.remove(step)) {
            break;
          }
        }
      }
    }

    private void doNext() {
      Runnable step = take();
      if (step != null) {
        step.run();
      }
    }

    /** Needs no heap: who has had its turn gets the place that it has just left. */
    private @Nullable Runnable take() {
      synchronized (turns) {
        Runnable step = null;
        while (step == null && !turns.isEmpty()) {
          Waiting first = turns.remove();
          step = first.steps.poll();
          if (!first.steps.isEmpty()) {
            turns.add(first);
          }
        }
        return step;
      }
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
   * @param origin who wants it: origins take turns
   * @throws java.util.concurrent.RejectedExecutionException after {@link #close}
   */
  public void run(boolean opens, String origin, Runnable step) {
    (opens ? opening : accepting).add(origin, step);
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
