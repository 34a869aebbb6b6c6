package org.ringwire.engine.inbound.workers;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.outbound.Flusher;

/**
 * Keeps a pool at work while some of its handlers take long: finds workers that are overdue, which
 * means in the same batch for {@link #PERIOD_NS} at least, and lets the others take what waits
 * behind them. If all are overdue, and one waits for something outside of this library, its thread
 * is replaced, as are those that wait inside of it. What an overdue worker has put off, answers for
 * example, is written meanwhile. A thread that was replaced is looked at no more, and so puts off
 * nothing; nor does any thread what goes by another node of the same process, whose watch does not
 * see it. If there is nobody at all tasks get threads of their own: one may be what ends a wait.
 *
 * <p>A batch of many short handlers may take as long as one long handler. Where nobody comes for
 * what waits behind it, its worker ends it at the next look, and goes on with it in turn.
 *
 * <p>A timer looks every {@link #PERIOD_NS} as long as any worker is in a batch, and ends
 * otherwise. No batch goes unwatched: a worker says that it is in a batch (volatile) and then reads
 * {@code active}; the timer clears {@code active} and then reads what the workers say. So either
 * the worker sees that it has to start the timer, or the timer sees the worker and goes on.
 *
 * <p>Who is overdue is a hint, and taking another one's work is safe at any time: a queue has one
 * consumer at a time, and work is in one queue at most.
 */
final class HandlerWatch {

  static final long PERIOD_NS = 10_000_000;

  private final ScheduledExecutorService timers;
  private final Runnable tick = this::tick; // one for all: making it is not compiled
  private final HandlerWorker[] workers;
  private volatile Runnable whenOverdue = () -> {};
  private volatile @Nullable Flusher flusher; // of the pipes that it writes to
  private volatile boolean active;
  private boolean ticking; // guarded by this
  private volatile int ticks; // written with this held
  private int turn; // racy, and a hint: whom to help first, as none of them may have an end

  /**
   * Looks at nobody yet.
   *
   * @param workers may be filled later, before any of them works
   */
  HandlerWatch(ScheduledExecutorService timers, HandlerWorker[] workers) {
    this.timers = timers;
    this.workers = workers;
  }

  /**
   * What to do at each look that finds a worker overdue; does not block.
   *
   * @param flusher of the pipes for which this does it
   */
  void whenOverdue(Flusher flusher, Runnable action) {
    whenOverdue = action;
    this.flusher = flusher;
  }

  /** Whether the action is for the pipes of this one; any thread. */
  @SuppressWarnings("ReferenceEquality") // it is asked for itself
  boolean flushes(Flusher other) {
    return flusher == other;
  }

  /** By a worker that has begun a batch. */
  void wake() {
    if (!active) {
      begin();
    }
  }

  /** Changes with each look, while a batch goes on; any thread, a volatile read. */
  int ticks() {
    return ticks;
  }

  private synchronized void begin() {
    if (!ticking) {
      ticking = schedule();
    }
    active = ticking;
  }

  private boolean schedule() {
    try {
      ScheduledFuture<?> _ = timers.schedule(tick, PERIOD_NS, TimeUnit.NANOSECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      return false; // the node ends
    }
  }

  private void tick() {
    if (lookAtAll()) {
      rescue(); // without the lock, which workers may want; as the next
      whenOverdue.run();
    }
  }

  /** Whether any worker is overdue. */
  private synchronized boolean lookAtAll() {
    ticking = false; // also if there is no memory for the next tick
    active = false; // before the workers are asked
    ticks++;
    boolean busy = false;
    boolean overdue = false;
    for (HandlerWorker worker : workers) {
      busy |= worker.isInBatch();
      if (worker.look()) {
        overdue = true;
        if (worker.hasWork() && !askFor(worker)) {
          worker.replaceIfWaiting();
        }
      }
    }
    if (busy) {
      ticking = schedule();
      active = ticking;
    }
    return overdue;
  }

  /**
   * There is work behind a worker that is held up: another one comes for it. Any thread.
   *
   * @return false if all of them are held up, or there is no memory for the first thread of another
   */
  boolean askFor(HandlerWorker heldUp) {
    HandlerWorker later = null;
    for (HandlerWorker worker : workers) {
      if (worker != heldUp && !worker.isHeldUp()) {
        if (worker.isInBatch()) {
          later = worker;
        } else if (isAsked(worker)) {
          return true;
        }
      }
    }
    return later != null && isAsked(later); // in turn with its own
  }

  private static boolean isAsked(HandlerWorker worker) {
    try {
      worker.help();
      return true;
    } catch (OutOfMemoryError e) { // who asks goes on, and the next tick asks again
      return false;
    }
  }

  /**
   * If all workers are held up nobody comes for what is in their queues, and among it may be what
   * would end the wait of one of them: the tasks go to threads of their own. Any thread.
   *
   * <p>No task is left: it is added before its worker is asked whether it is held up; a worker says
   * that it is, or ends, before this looks at the others and the queues. So who says so last sees
   * all of them, and who adds a task after that sees it. A look that finds another thread taking
   * from a queue may miss one, until the next tick.
   */
  void rescue() {
    if (areAllHeldUp()) {
      for (HandlerWorker worker : workers) {
        worker.giveTasksAway();
      }
    }
  }

  private boolean areAllHeldUp() {
    for (HandlerWorker worker : workers) {
      if (!worker.isHeldUp()) {
        return false;
      }
    }
    return true;
  }

  /**
   * By the thread of an overdue worker: whether something waits behind any, and nobody comes for
   * it. If it is behind others only it takes of that next, or after one more turn of its own.
   */
  boolean leavesTo(HandlerWorker worker) {
    if (!areAllHeldUp()) {
      return false;
    }
    if (worker.hasWork()) {
      return true;
    }
    for (HandlerWorker other : workers) {
      if (other.hasWork()) {
        worker.help();
        return true;
      }
    }
    return false;
  }

  /** By a worker that was asked: some of what waits behind those that are held up, in turn. */
  @Nullable Work take() {
    int begin = turn++ & Integer.MAX_VALUE;
    for (int i = 0; i < workers.length; i++) {
      HandlerWorker worker = workers[(begin + i) % workers.length];
      Work work = worker.isHeldUp() ? worker.give() : null;
      if (work != null) {
        return work;
      }
    }
    return null;
  }
}
