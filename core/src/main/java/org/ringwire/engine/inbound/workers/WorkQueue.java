package org.ringwire.engine.inbound.workers;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Many producers, one consumer at a time: an intrusive queue that allocates nothing.
 *
 * <p>A producer appends with one exchange of the tail and then links its predecessor to it; between
 * the two the consumer sees a gap and treats the queue as empty, which is why {@link #isEmpty}
 * compares with the tail instead. (D. Vyukov's non-blocking queue.)
 *
 * <p>Who takes is the consumer for as long as {@code taking} is set, by a compare-and-set before
 * and a volatile store after: what one has left the next one sees. Somebody who finds it set finds
 * nothing; that is seldom, since only who was asked helps another one. {@code head} is volatile for
 * {@link #isEmpty}, which a worker asks after it has said that it parks, while another one may be
 * taking.
 */
@SuppressWarnings("ReferenceEquality") // the stub is one object, and identity is what is asked
public final class WorkQueue {

  private static final class Stub extends Work {
    @Override
    public boolean run(HandlerWorker worker) {
      throw new IllegalStateException("the stub of a queue is no work");
    }
  }

  private final Work stub = new Stub();
  private final AtomicReference<Work> tail = new AtomicReference<>(stub);
  private final AtomicBoolean taking = new AtomicBoolean();
  private volatile Work head = stub; // written by who takes

  /** Any thread. */
  public void add(Work work) {
    work.next = null;
    Work previous = tail.getAndSet(work);
    previous.next = work; // volatile: publishes the work to the consumer
  }

  /**
   * Any thread: the next work, or null if there is none, its producer is still linking it, or
   * another thread is taking one.
   */
  @Nullable Work poll() {
    if (!taking.compareAndSet(false, true)) {
      return null;
    }
    try {
      return take();
    } finally {
      taking.set(false);
    }
  }

  /**
   * Any thread: takes out what there is and offers it to somebody else; what that does not take
   * goes to the end, in its order. Needs no heap.
   *
   * @return whether anything did
   */
  boolean giveAway(Predicate<Work> taker) {
    Work first = null;
    Work last = null;
    for (Work work = poll(); work != null; work = poll()) {
      if (isTaken(taker, work)) {
        continue;
      }
      work.next = null;
      if (last == null) {
        first = work;
      } else {
        last.next = work;
      }
      last = work;
    }
    boolean kept = first != null;
    while (first != null) {
      Work work = first;
      first = work.next;
      add(work);
    }
    return kept;
  }

  /** Whose stack ends has taken nothing; those that were taken out before are not lost with it. */
  private static boolean isTaken(Predicate<Work> taker, Work work) {
    try {
      return taker.test(work);
    } catch (StackOverflowError e) {
      return false;
    }
  }

  private @Nullable Work take() {
    Work first = head;
    Work second = first.next;
    if (first == stub) {
      if (second == null) {
        return null;
      }
      head = second;
      first = second;
      second = second.next;
    }
    if (second != null) {
      head = second;
      return first;
    }
    if (tail.get() != first) {
      return null;
    }
    add(stub);
    second = first.next;
    if (second == null) {
      return null;
    }
    head = second;
    return first;
  }

  /** Any thread: whether nothing was added that was not taken; two volatile reads. */
  public boolean isEmpty() {
    return head == stub && tail.get() == stub;
  }
}
