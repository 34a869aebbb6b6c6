package org.ringwire.engine.services;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives calls of blocking handlers their virtual threads, to each link in turn. Virtual threads
 * begin in the order in which they were started, and keep their core until they wait: if each
 * message had its thread at once, the many of one peer would all come before the first of another
 * one. So only {@link #MOST} have a thread and have not begun; what comes meanwhile waits here, and
 * when all have begun, as many of those get theirs, by turns. How many have begun is not bounded:
 * they may wait for each other.
 *
 * <p>Not sooner: threads that are started by virtual ones are in another queue of the JDK's than
 * those that a reading thread has started, and who takes from a queue goes on with it until it is
 * empty. If there were always another one in it, those in the other queue would never begin.
 *
 * <p>Nobody is forgotten. Whoever adds a call looks at {@code unbegun} after that, and whoever
 * makes that zero looks for calls: the later sees what the other has written. What is counted is a
 * thread that will begin, or one in {@link #startWaiting} that looks again when it has taken it
 * back.
 *
 * <p>Any thread.
 */
public final class BlockingStarts {

  /** Few enough that others soon have their turn; a core that has begun one starts the next. */
  static final int MOST = 64;

  /** A message for a blocking handler. Once. */
  public abstract static class Call {
    private @Nullable Call next; // with the lock of the starts: behind it in its line

    /** One that is not added yet. */
    protected Call() {}

    /** All that its thread does. */
    public abstract void runToEnd();

    /** In place of that: there is no thread for it. */
    public abstract void notStarted(Throwable cause);
  }

  /** Those of one link that wait for a thread. */
  public static final class Line {
    private @Nullable Call first; // with the lock of the starts, as all; null if nobody waits
    private @Nullable Call last;
    private @Nullable Line next; // whose turn is after this one's

    /** Nobody waits. */
    public Line() {}
  }

  private final Consumer<Runnable> threads;
  private final AtomicInteger unbegun = new AtomicInteger();
  private @Nullable Line turn; // with this held, as the next: of those in which somebody waits
  private @Nullable Line lastTurn;
  private volatile int waiting; // written with this held

  /**
   * None yet.
   *
   * @param threads makes a virtual thread and starts it, or throws
   */
  public BlockingStarts(Consumer<Runnable> threads) {
    this.threads = threads;
  }

  /**
   * A message has come. What is thrown is because there is no thread for the call, which is over
   * then.
   */
  public void add(Line line, Call call) {
    if (waiting > 0 || !tryCount()) {
      enter(line, call);
      if (unbegun.get() == 0) {
        startWaiting();
      }
      return;
    }
    boolean started = false;
    try {
      start(call);
      started = true;
    } finally {
      if (!started) {
        uncount();
      }
    }
  }

  private void start(Call call) {
    threads.accept(() -> {
      try {
        uncount();
      } finally {
        call.runToEnd();
      }
    });
  }

  /** This, and all that follows, needs no heap. */
  private synchronized void enter(Line line, Call call) {
    Call before = line.last;
    line.last = call;
    if (before == null) {
      line.first = call;
      enter(line);
    } else {
      before.next = call;
    }
    waiting++;
  }

  private void enter(Line line) { // with this held
    Line before = lastTurn;
    lastTurn = line;
    if (before == null) {
      turn = line;
    } else {
      before.next = line;
    }
  }

  private synchronized @Nullable Call leave() {
    Line line = turn;
    Call call = line == null ? null : line.first;
    if (line == null || call == null) {
      return null;
    }
    turn = line.next;
    line.next = null;
    if (turn == null) {
      lastTurn = null;
    }
    line.first = call.next;
    if (line.first == null) {
      line.last = null;
    } else {
      enter(line);
    }
    call.next = null;
    waiting--;
    return call;
  }

  private boolean tryCount() {
    int count = unbegun.get();
    while (count < MOST) {
      int seen = unbegun.compareAndExchange(count, count + 1);
      if (seen == count) {
        return true;
      }
      count = seen;
    }
    return false;
  }

  /** One has begun, or does not. */
  private void uncount() {
    if (unbegun.decrementAndGet() == 0 && waiting > 0) {
      startWaiting();
    }
  }

  /** The caller has something else to do, whatever becomes of these. */
  private void startWaiting() {
    while (waiting > 0 && tryCount()) {
      Call call = leave();
      if (call == null || !tryStart(call)) {
        unbegun.decrementAndGet(); // and looks again
      }
    }
  }

  private boolean tryStart(Call call) {
    try {
      start(call);
      return true;
    } catch (Throwable e) {
      tell(call, e);
      return false;
    }
  }

  private static void tell(Call call, Throwable cause) {
    try {
      call.notStarted(cause);
    } catch (Throwable e) { // there is no heap: what needs none is done
    }
  }
}
