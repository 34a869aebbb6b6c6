package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.datagram.Datagram;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.infiniband.verbs.UdQueuePair;
import org.ringwire.infiniband.verbs.WorkCompletions;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.infiniband.verbs.types.WorkStatus;

/**
 * The send queue of the queue pair that serves all links. Whoever sends {@link #open}s it, adds
 * datagrams, and {@link #close}s it, which posts them in chains; in between it is locked, and its
 * {@link #head} and {@link #filler} are the caller's.
 *
 * <p>Requests have numbers in the order of posting, and the device completes them in that order: so
 * {@code completed} says for each number whether the device still reads what the request names.
 * Datagrams are completed when they have left the adapter, whatever becomes of them, so nobody
 * waits long for room here; each chain ends with a signalled request.
 */
final class UdSender {

  private static final int CHAIN = 16;
  private static final int BATCH = 32;
  private static final int HEAD_SHIFT = 6; // the longest head fits

  private final ReentrantLock lock = new ReentrantLock();
  private final UdQueuePair queuePair;
  private final CompletionQueue completions;
  private final MemorySegment heads;
  private final int headKey;
  private final int depth;
  private final int mostInline;
  private final SegmentFiller filler;
  private final Datagram head = new Datagram();
  private final SendRequests chain;
  private final WorkCompletions batch;
  private long next; // number of the next request; guarded by the lock, as all above
  private volatile long posted;
  private volatile long completed;
  private volatile @Nullable String failure;

  /**
   * For a queue pair that is ready to send.
   *
   * @param heads registered memory for as many heads as the queue pair takes requests
   * @param ranges of a request at most
   */
  UdSender(
      Arena arena,
      UdQueuePair queuePair,
      CompletionQueue completions,
      MemorySegment heads,
      int headKey,
      int ranges,
      int mostInline,
      SegmentFiller filler) {
    this.queuePair = queuePair;
    this.completions = completions;
    this.heads = heads;
    this.headKey = headKey;
    this.mostInline = mostInline;
    this.filler = filler;
    depth = (int) (heads.byteSize() >> HEAD_SHIFT);
    chain = new SendRequests(arena, Math.min(CHAIN, depth), ranges);
    batch = new WorkCompletions(arena, BATCH);
  }

  /** Bytes of the memory for so many heads. */
  static long headBytes(int depth) {
    return (long) depth << HEAD_SHIFT;
  }

  /** Locks it for the caller, who {@link #close}s it whatever happens. */
  void open() {
    lock.lock();
    boolean opened = false;
    try {
      if (free() < depth / 2) {
        pollLocked();
      }
      opened = true;
    } finally {
      if (!opened) { // the caller does not close what is not open
        lock.unlock();
      }
    }
  }

  /** Posts what was added, and unlocks it. */
  void close() throws IOException {
    try {
      post();
    } finally {
      lock.unlock();
    }
  }

  /** Cuts what is offered; while it is open. */
  SegmentFiller filler() {
    return filler;
  }

  /** For what is sent; while it is open. */
  Datagram head() {
    return head;
  }

  /** Requests that may be added, as far as known; while it is open. */
  int free() {
    return depth - (int) (next - completed);
  }

  /** Whether who was refused had better wait; any thread. */
  boolean isScarce() {
    return posted - completed > depth / 2;
  }

  /** Adds a datagram; while it is open, and {@link #free} is not 0. Returns its number. */
  long add(Destination to, Datagram datagram, @Nullable UdSegment segment) throws IOException {
    if (chain.isFull()) {
      post();
    }
    long at = next % depth << HEAD_SHIFT;
    int length = datagram.write(heads, at, to.token());
    boolean inline = Datagram.LENGTH + datagram.contentLength() <= mostInline;
    chain.add(SendOpcode.SEND, next, inline ? SendFlags.INLINE : 0);
    chain.destination(to.handle(), to.queuePair(), to.queueKey());
    chain.addRange(heads.address() + at, length, headKey);
    if (segment != null) {
      segment.appendTo(chain, next);
    }
    return next++;
  }

  private void post() throws IOException {
    int count = chain.count();
    if (count == 0) {
      return;
    }
    chain.addFlags(count - 1, SendFlags.SIGNALED);
    int done = 0;
    try {
      done = queuePair.post(chain, 0);
    } catch (VerbsException e) {
      throw new IOException("cannot send: " + e.getMessage(), e);
    } finally {
      chain.clear();
      next -= count - done;
      posted = next;
    }
    if (done < count) {
      throw new IOException("the device takes fewer requests than it has granted: depth=" + depth);
    }
    checkFailure();
  }

  /** Fails if nothing goes out any more. */
  void checkFailure() throws IOException {
    String why = failure;
    if (why != null) {
      throw new IOException("the queue pair for datagrams has failed: " + why);
    }
  }

  /** Looks for completions; any thread. Returns whether requests are outstanding after that. */
  boolean poll() {
    lock.lock();
    try {
      pollLocked();
      return posted > completed;
    } finally {
      lock.unlock();
    }
  }

  private void pollLocked() {
    int count = posted > completed ? take() : 0;
    while (count > 0) {
      for (int i = 0; i < count; i++) {
        completed = Math.max(completed, batch.id(i) + 1);
        if (!batch.isSuccess(i) && failure == null) { // what follows the first is its consequence
          failure = WorkStatus.describe(batch.status(i));
        }
      }
      count = count == batch.capacity() ? take() : 0;
    }
  }

  /** A queue that fails may have lost what was in it: no more is known than of a failed request. */
  private int take() {
    try {
      return completions.poll(batch);
    } catch (VerbsException e) {
      if (failure == null) {
        failure = String.valueOf(e.getMessage());
      }
      return 0;
    }
  }

  /** Whether the device is done with a request; those that were not posted are. */
  boolean isCompleted(long number) {
    return number < completed || number >= posted;
  }

  /** The same, after a look at the device if need be. */
  boolean isSurelyCompleted(long number) {
    return isCompleted(number) || !poll() || isCompleted(number);
  }

  /** Nothing goes out any more, as something else than a request has shown; any thread. */
  void fail(String why) {
    lock.lock();
    try {
      if (failure == null) {
        failure = why;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes what the device tells of requests that it has given back, or forgotten; when no link is
   * left, before {@link #restart}. What stayed in the queue would seem to be of those that follow.
   *
   * @throws VerbsException if that cannot be had: nothing goes out yet
   */
  void drain() {
    lock.lock();
    try {
      int told = completions.poll(batch);
      while (told > 0) {
        told = completions.poll(batch);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The queue pair was made anew, and knows of no request: sends again. No link is left. */
  void restart() {
    lock.lock();
    try {
      completed = posted;
      failure = null;
    } finally {
      lock.unlock();
    }
  }

  /** Why nothing goes out any more, or null. */
  @Nullable String failure() {
    return failure;
  }

  /** What was posted; counters only. */
  SendRequests requests() {
    return chain;
  }

  /** What was polled; counters only. */
  WorkCompletions polled() {
    return batch;
  }
}
