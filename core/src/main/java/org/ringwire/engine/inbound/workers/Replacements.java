package org.ringwire.engine.inbound.workers;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a pool that have handed their place on because they wait. Any thread.
 *
 * <p>Who is about to wait may be at the end of its stack. So a thread that is not replaced after
 * all says so by an assignment ({@link HandlerThread#waitsApart}), and is taken out of the list by
 * who looks next.
 */
final class Replacements {

  private final int most;
  private @Nullable HandlerThread first; // with this held: of those that wait, and perhaps others

  /** At most so many at the same time. */
  Replacements(int most) {
    this.most = most;
  }

  /** Whether a thread may hand its place on, which has not done so before. */
  synchronized boolean tryTake(HandlerThread thread) {
    if (count() >= most) {
      return false;
    }
    thread.nextApart = first;
    first = thread;
    thread.waitsApart = true;
    return true;
  }

  /** A thread that had handed its place on does nothing any more. */
  void ended(HandlerThread thread) {
    thread.waitsApart = false;
    int _ = count(); // the list keeps nobody that has ended
  }

  /** How many wait; takes those that do not out of the list. */
  synchronized int count() {
    int count = 0;
    HandlerThread last = null;
    for (HandlerThread thread = first; thread != null; thread = thread.nextApart) {
      if (thread.waitsApart) {
        last = thread;
        count++;
      } else if (last == null) {
        first = thread.nextApart;
      } else {
        last.nextApart = thread.nextApart;
      }
    }
    return count;
  }

  private synchronized List<HandlerThread> waiting() {
    List<HandlerThread> waiting = new ArrayList<>();
    for (HandlerThread thread = first; thread != null; thread = thread.nextApart) {
      waiting.add(thread);
    }
    return waiting;
  }

  /** Waits for those that still wait; interrupts them when time is over. */
  void close(long deadlineNs) throws InterruptedException {
    List<HandlerThread> waiting = waiting();
    for (HandlerThread thread : waiting) {
      thread.awaitEnd(deadlineNs);
    }
    for (HandlerThread thread : waiting) {
      thread.interruptByOther();
    }
  }
}
