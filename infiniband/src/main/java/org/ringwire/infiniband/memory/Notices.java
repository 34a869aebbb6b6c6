package org.ringwire.infiniband.memory;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.MemoryListener;
import org.ringwire.infiniband.device.DeviceParts;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.ReceiveRequests;
import org.ringwire.infiniband.verbs.SharedReceiveQueue;
import org.ringwire.infiniband.verbs.WorkCompletions;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.ring.NativeMemory;
import org.ringwire.transport.support.TransportLog;

/**
 * What tells the owner of memory that a peer has written: each such write uses up one receive
 * request, which has no memory, and brings 32 bits: the number of the memory's listener in the
 * upper half, the peer's tag in the lower. A peer that has more to tell than requests are left
 * waits in its device.
 *
 * <p>Polled by the {@link CompletionThread} alone; listeners and queue pairs come and go by any
 * thread.
 *
 * <p><em>Requests that come back.</em> A queue pair may have taken one of the requests that all
 * share when it is stopped. It comes back as a completion, which is dropped with the queue pair,
 * and then all peers have one less for ever. So the queue pair is destroyed when the device has
 * said that it takes no more, and a poll after that has found nothing else (InfiniBand
 * specification, 10.3.1); or after a second, since some devices say nothing.
 */
final class Notices implements AutoCloseable {

  /** No listener. */
  static final int NONE = 0;

  private static final int REQUESTS = 256;
  private static final int BATCH = 32;
  private static final int MOST = 1 << 16;
  private static final long LONGEST_RETIREMENT_NS = 1_000_000_000;
  private static final TransportLog LOG = TransportLog.of(Notices.class);

  private final DeviceParts parts = new DeviceParts();
  private final SharedReceiveQueue queue;
  private final CompletionQueue completions;
  private final WorkCompletions batch;
  private int count; // in the batch; the completion thread, as the next
  private int accepted; // of those
  private final ReceiveRequests requests;
  private final Map<Integer, MemoryListener> listeners = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> peers = new ConcurrentHashMap<>();
  private final Queue<Retired> retired = new ConcurrentLinkedQueue<>();
  private final Queue<RcQueuePair> unserving = new ConcurrentLinkedQueue<>();
  private int last; // guarded by this

  /** A queue pair that serves nobody any more. */
  private static final class Retired {
    private final RcQueuePair pair;
    private final long sinceNs = System.nanoTime();
    private boolean lastReached; // the completion thread's

    Retired(RcQueuePair pair) {
      this.pair = pair;
    }

    boolean isOver() {
      return lastReached || System.nanoTime() - sinceNs >= LONGEST_RETIREMENT_NS;
    }
  }

  /** Made with the device, which closes it. */
  Notices(MemoryDevice device) {
    boolean made = false;
    try {
      NativeMemory.Scope scope = parts.add(NativeMemory.open("notices of remote memory"));
      int most = device.notices(REQUESTS);
      completions = parts.add(device.createCompletions(most));
      queue = parts.add(device.domain().createSharedReceiveQueue(most, 1));
      batch = new WorkCompletions(scope.arena(), BATCH);
      requests = new ReceiveRequests(scope.arena(), BATCH, 1);
      for (int left = most; left > 0; left -= BATCH) {
        post(Math.min(left, BATCH));
      }
      made = true;
    } finally {
      if (!made) {
        parts.close();
      }
    }
  }

  /** For queue pairs that serve peers. */
  SharedReceiveQueue queue() {
    return queue;
  }

  /** For queue pairs that serve peers. */
  CompletionQueue completions() {
    return completions;
  }

  /** A queue pair serves a peer. */
  void serve(int queuePair, int peer) {
    peers.put(queuePair, peer);
  }

  /**
   * A queue pair serves nobody any more; ended by the thread when it has seen its notices.
   *
   * @throws OutOfMemoryError before anything has changed: may be called again
   */
  void retire(RcQueuePair pair) {
    retired.add(new Retired(pair)); // before the device says anything of its end
    try {
      pair.toError(); // nothing follows
    } catch (VerbsException | OutOfMemoryError e) {
      tellOf(System.Logger.Level.DEBUG, "no error state, it is destroyed in a second", e);
    }
  }

  /** A queue pair that the device has not let go of: it is tried once more at the end. */
  void endLater(RcQueuePair pair) {
    unserving.add(pair);
  }

  /** Gives a listener a number, the same one again as late as possible. */
  synchronized int add(MemoryListener listener) {
    for (int tried = 1; tried < MOST; tried++) {
      last = last % (MOST - 1) + 1;
      if (listeners.putIfAbsent(last, listener) == null) {
        return last;
      }
    }
    throw new MessagingException("too much memory has a listener: most=" + (MOST - 1));
  }

  /** Tells a listener nothing any more. */
  void remove(int number) {
    listeners.remove(number);
  }

  /** The 32 bits for a write. */
  static int immediate(int number, int tag) {
    return number << 16 | tag;
  }

  // The completion thread.

  /** Tells listeners what has come; whether there was something. */
  boolean poll() {
    Retired first = retired.peek();
    boolean leaves = first != null && first.isOver(); // before the poll
    boolean goesOn = accepted < count; // there was no heap for the rest
    if (!goesOn) {
      accepted = 0;
      count = completions.poll(batch);
    }
    accept();
    if (goesOn) {
      return true;
    }
    if (first != null && leaves && count < batch.capacity()) { // the queue was empty after these
      end(first.pair);
      retired.remove(); // after it: if there is no heap to end it, the next poll does
    }
    return count > 0 || leaves;
  }

  /** Where there is no heap for one, it and those behind it are told of next time. */
  private void accept() {
    int before = accepted;
    try {
      for (; accepted < count; accepted++) {
        if (batch.isSuccess(accepted) && batch.hasImmediate(accepted)) {
          tell(batch.queuePair(accepted), batch.immediate(accepted));
        }
      }
    } finally {
      if (accepted > before) {
        post(accepted - before);
      }
    }
  }

  /** The device says that a queue pair takes no more requests. */
  void lastRequestReached(int queuePair) {
    for (Retired each : retired) {
      if (each.pair.number() == queuePair) {
        each.lastReached = true;
      }
    }
  }

  /** How long there is nothing to poll for unless there is an event, in milliseconds; -1: ever. */
  long idleMs() {
    return retired.isEmpty() ? -1 : LONGEST_RETIREMENT_NS / 1_000_000;
  }

  private void end(RcQueuePair pair) {
    peers.remove(pair.number());
    try {
      pair.close();
    } catch (VerbsException e) { // no reason to end what goes over others
      endLater(pair);
      tellOf(System.Logger.Level.DEBUG, "a queue pair is closed at the end", e);
    }
  }

  private void tell(int queuePair, int immediate) {
    Integer peer = peers.get(queuePair);
    MemoryListener listener = listeners.get(immediate >>> 16);
    if (peer == null || listener == null) {
      return; // the memory was revoked, or the peer has another queue pair by now
    }
    try {
      listener.written(peer, immediate & 0xffff);
    } catch (Throwable e) {
      // the listener was told, and must not be again
      tellOf(System.Logger.Level.ERROR, "a listener of exported memory failed", e);
    } finally {
      boolean _ = Thread.interrupted(); // left behind, it would end every pause of this thread
    }
  }

  private static void tellOf(System.Logger.Level level, String what, Throwable failure) {
    try {
      LOG.log(level, what, failure);
    } catch (OutOfMemoryError e) {
      // nobody hears of it
    }
  }

  private void post(int count) {
    requests.clear();
    for (int i = 0; i < count; i++) {
      requests.add(0);
    }
    int posted = queue.post(requests, 0);
    if (posted < count) {
      throw new MessagingException("the queue of notices is full: posted=" + posted);
    }
  }

  /** Asks for an event at the next one. */
  void arm() {
    completions.requestNotify(false);
  }

  /** After all queue pairs, and the thread. */
  @Override
  public void close() {
    for (RcQueuePair each : unserving) {
      parts.add(each);
    }
    for (Retired each : retired) { // closed first, each whatever becomes of the others
      parts.add(each.pair);
    }
    parts.close();
  }
}
