package org.ringwire.engine.inbound;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Many producers, one consumer (the role may be handed on with a happens-before edge): an intrusive
 * queue that allocates nothing.
 *
 * <p>A producer appends with one exchange of the tail and then links its predecessor to it; between
 * the two the consumer sees a gap and treats the queue as empty, which is why {@link #isEmpty}
 * compares with the tail instead. (D. Vyukov's non-blocking queue.)
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
  private Work head = stub;

  /** Any thread. */
  public void add(Work work) {
    work.next = null;
    Work previous = tail.getAndSet(work);
    previous.next = work; // volatile: publishes the work to the consumer
  }

  /** Consumer: the next work, or null if there is none or its producer is still linking it. */
  @Nullable Work poll() {
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

  /** Consumer: whether nothing was added that was not taken; a volatile read of the tail. */
  public boolean isEmpty() {
    return head == stub && tail.get() == stub;
  }
}
