package org.ringwire.heap;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.Encoder;
import org.ringwire.heap.image.Pool;

/**
 * Large images of messages that were measured and not sent yet, or never will be. Whichever threads
 * have made them, and whether these are still there: all but the newest have {@link #MOST_BYTES},
 * and the oldest make room. Any thread.
 */
final class MeasuredImages {
  /** Images that need no more than this wait with their thread, a few of each. */
  static final long LARGE = 1 << 20;

  private static final long MOST_BYTES = 64L << 20;

  private final Pool<Encoder> encoders;
  private final Object lock = new Object(); // a monitor, as that of an inbox
  private final ArrayDeque<Waiting> oldestFirst = new ArrayDeque<>();
  private long bytes;

  /** Written under the lock. */
  private volatile boolean isEmpty = true;

  /** An image that waits to be copied. */
  record Measured(Object message, Encoder encoder, MemorySegment image) {}

  /**
   * One that waits here.
   *
   * @param threadId of who has measured it; nobody else may send that
   */
  private record Waiting(long threadId, Measured measured, long bytes) {}

  /** None yet; what is pushed out is given back to the others. */
  MeasuredImages(Pool<Encoder> encoders) {
    this.encoders = encoders;
  }

  /** Waits for {@link #take} of the same thread, unless too many others come first. */
  void add(Measured measured) {
    long threadId = Thread.currentThread().threadId();
    Waiting added = new Waiting(threadId, measured, measured.encoder.spareBytes());
    List<Waiting> leaving = new ArrayList<>();
    synchronized (lock) {
      Waiting before = remove(threadId, measured.message);
      if (before != null) {
        leaving.add(before);
      }
      while (!oldestFirst.isEmpty() && bytes + added.bytes > MOST_BYTES) {
        Waiting oldest = oldestFirst.removeFirst();
        bytes -= oldest.bytes;
        leaving.add(oldest);
      }
      oldestFirst.addLast(added);
      bytes += added.bytes;
      isEmpty = false;
    }
    leaving.forEach(left -> encoders.giveBack(left.measured.encoder));
  }

  /** What this thread has measured last of a message, which is not here any more then. */
  @Nullable Measured take(Object message) {
    if (isEmpty) { // as nearly always; what this thread has put in is seen by it
      return null;
    }
    synchronized (lock) {
      Waiting found = remove(Thread.currentThread().threadId(), message);
      return found == null ? null : found.measured;
    }
  }

  @SuppressWarnings("ReferenceEquality") // the very message
  private @Nullable Waiting remove(long threadId, Object message) {
    Iterator<Waiting> newestFirst = oldestFirst.descendingIterator();
    while (newestFirst.hasNext()) {
      Waiting candidate = newestFirst.next();
      if (candidate.threadId == threadId && candidate.measured.message == message) {
        newestFirst.remove();
        bytes -= candidate.bytes;
        isEmpty = oldestFirst.isEmpty();
        return candidate;
      }
    }
    return null;
  }
}
