package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.device.StagingPool;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/**
 * The sending half of a queue pair (Ibdxnet paper, section IV-B): makes requests of what a link
 * offers, posts them in chains, and completes them in order. Nothing here waits.
 *
 * <p><b>Work package, previous results, completion list.</b> A pass takes what the source offers
 * next, posts as much as there is room for, and reports that as sent: what is left is offered again
 * in the next pass. What the device has completed is reported by whoever polls the completion queue
 * that all links share.
 *
 * <p><b>Threads.</b> {@link #write} is called by one thread at a time; completions come from any
 * thread, one at a time. {@link SendSlots} argues how the two meet. The source is told of
 * completions under a lock, in order; who posts takes it only where something is completed already.
 *
 * <p><b>Copies.</b> If all that is posted was copied, and nothing before it is outstanding, it is
 * completed at once: the ring of a link that carries little is free again as soon as it is written,
 * and nobody need look for the completion.
 */
final class SendQueue {

  /** Requests of one chain at most. */
  private static final int CHAIN = 16;

  private static final int MAX_RANGES = 16;

  private final RcQueuePair queuePair;
  private final CompletionBudget budget;
  private final StagingPool.Share smallChunks;
  private final StagingPool.Share largeChunks;
  private final SendCompletions completions;
  private final SendSlots slots;
  private final SendRequests requests;
  private final RequestBuilder builder;
  private final OutboundRanges ranges = new OutboundRanges(MAX_RANGES);
  private final Object completion = new Object();
  private final int depth;
  private final int peerNumber;
  private final long mostOutstanding;
  private long late; // bytes that were taken since the link closes; the writer only, as the next
  private boolean full; // the chain that was posted last, of which the device has taken all
  private boolean refused; // the device has taken less than a chain; also read when nobody writes
  private volatile @Nullable OutboundSource source;

  /** Of which the device needs, or has needed, the memory; written by the writer. */
  private final AtomicLong sentBytes = new AtomicLong();

  /** Of those; written with the lock. */
  private final AtomicLong completedBytes = new AtomicLong();

  private volatile boolean lacksShared;

  /**
   * The sending half of a connected queue pair.
   *
   * @param number own number of the link
   * @param peerNumber what the peer calls it
   * @param longest bytes of a request: those that the peer's receive requests take, at most
   * @param mostOutstanding bytes that may not be completed; beyond, the medium is full
   */
  SendQueue(
      Adapter adapter,
      SendCompletions completions,
      RcQueuePair queuePair,
      SendRequests requests,
      int number,
      int peerNumber,
      int longest,
      long mostOutstanding) {
    this.queuePair = queuePair;
    this.requests = requests;
    this.completions = completions;
    this.peerNumber = peerNumber;
    this.mostOutstanding = mostOutstanding;
    budget = adapter.budget();
    smallChunks = adapter.smallChunks().share();
    largeChunks = adapter.largeChunks().share();
    depth = Math.min(queuePair.maxSendRequests(), adapter.options().sendRequests());
    slots = new SendSlots(depth);
    builder =
        new RequestBuilder(
            adapter.rings()::find,
            smallChunks,
            largeChunks,
            requests,
            slots,
            new RequestBuilder.Bounds(
                Math.min(queuePair.maxInline(), adapter.options().inline()),
                longest,
                adapter.options().signalEvery()),
            number,
            Immediate.of(peerNumber, Immediate.DATA));
  }

  /** Requests of a chain, for a queue pair. */
  static int chainLength(RcQueuePair queuePair) {
    return Math.min(CHAIN, queuePair.maxSendRequests());
  }

  // The writer.

  /**
   * Writes what the source offers. Once the link closes that is as much as a ring holds: what was
   * there before, but not what others may go on to add, for as long as the device keeps up.
   *
   * @param closes whether the link does
   * @return whether all of it was taken, and the device is not far behind
   */
  boolean write(OutboundSource from, BooleanSupplier closes) throws IOException {
    source = from;
    if (isScarce()) {
      completions.tryPoll();
    }
    try {
      while (!isOver()) {
        ranges.clear();
        long offered = from.next(ranges);
        if (offered == 0) {
          return outstandingBytes() <= mostOutstanding;
        }
        if (outstandingBytes() > mostOutstanding) {
          return false;
        }
        long posted = post(from, offered);
        late += closes.getAsBoolean() ? posted : 0; // also of what is more than a chain takes
        if (posted < offered && !goesOn()) {
          return false;
        }
      }
      return false;
    } finally {
      ranges.clear();
    }
  }

  /** Whether no more was taken because a chain is full: there may be room for another one. */
  private boolean goesOn() {
    if (!full) {
      return false;
    }
    completions.tryPoll(); // what the one before has named or copied may be free by now
    return true;
  }

  /**
   * Whether there is nothing to write, and the device is not far behind: then {@link #write} would
   * have nothing to do.
   */
  boolean isIdle(OutboundSource from) {
    ranges.clear();
    try {
      return from.next(ranges) == 0 && outstandingBytes() <= mostOutstanding;
    } finally {
      ranges.clear();
    }
  }

  /** Whether the link closes, and as much as a ring holds was taken since. */
  boolean isOver() {
    return late > 2 * mostOutstanding;
  }

  /** Whether there may soon be no room for what comes, as far as known. */
  private boolean isScarce() {
    return slots.free() < depth / 2 || outstandingBytes() > mostOutstanding / 4;
  }

  private long post(OutboundSource from, long offered) throws IOException {
    full = false;
    int free = slots.free();
    int share = budget.share(depth - free);
    int room = budget.take(Math.min(share, Math.min(free, requests.capacity())));
    lacksShared = room == 0 && free > 0;
    if (room == 0) {
      return 0;
    }
    boolean alone = outstandingBytes() == 0;
    build(offered, room);
    lacksShared = builder.lacksChunk();
    if (requests.count() == 0) {
      return 0;
    }
    int count = requests.count();
    int taken = postChain();
    full = requests.isFull();
    long bytes = slots.addedBytes();
    if (alone && builder.isCopiesOnly()) {
      slots.forgetBytes();
      from.sent(bytes);
      synchronized (completion) {
        from.completed(bytes);
      }
    } else {
      sentBytes.set(sentBytes.get() + bytes);
      from.sent(bytes);
    }
    slots.offer();
    complete(); // the device may have been faster
    requireAll(taken, count); // after what it has taken is known to be sent
    return bytes;
  }

  private void build(long offered, int room) {
    long first = slots.next();
    boolean built = false;
    try {
      builder.build(ranges, offered, room);
      built = true;
    } finally {
      if (!built) { // memory that is gone, for instance
        requests.clear();
        slots.retract(first);
      }
      budget.give(room - requests.count());
    }
  }

  /** Posts the chain; returns how many of it the device has taken, at least one. */
  private int postChain() throws IOException {
    int count = requests.count();
    requests.addFlags(count - 1, SendFlags.SIGNALED);
    long first = slots.next() - count;
    int posted = 0;
    try {
      posted = queuePair.post(requests, 0);
    } catch (VerbsException e) {
      throw new IOException("cannot send: " + e.getMessage(), e);
    } finally {
      slots.retract(first + posted);
      budget.give(count - posted);
    }
    return posted;
  }

  /**
   * The device has room for a chain: no more is outstanding than it has granted. If it takes less
   * all the same, perhaps nothing would tell of the end of what it has taken.
   */
  private void requireAll(int taken, int count) throws IOException {
    if (taken < count) {
      refused = true;
      throw new IOException(
          "the device takes fewer requests than it has granted: taken="
              + taken
              + " posted="
              + count
              + " depth="
              + depth
              + "; if that is for want of room, set -D"
              + IbOptions.PREFIX
              + "sendRequests to fewer");
    }
  }

  /**
   * Posts a request without data; when nobody writes.
   *
   * @return false if there is no completion to be had for it yet
   */
  boolean postSignal(int kind) throws IOException {
    if (slots.free() == 0) {
      throw new IOException("no room for a signal: outstanding=" + slots.outstanding());
    }
    if (!budget.takeOne()) {
      return false;
    }
    builder.buildSignal(Immediate.of(peerNumber, kind));
    int _ = postChain(); // of one
    slots.offer();
    complete();
    return true;
  }

  /** Whether a writer that was refused may go on. */
  boolean canGoOn() {
    int outstanding = slots.outstanding();
    if (lacksShared
        && (budget.share(outstanding) == 0 || smallChunks.isUsedUp() || largeChunks.isUsedUp())) {
      return false;
    }
    return depth - outstanding >= Math.max(1, depth / 4)
        && outstandingBytes() <= mostOutstanding / 2;
  }

  /** Whether what the writer lacks is what all links share. */
  boolean lacksShared() {
    return lacksShared;
  }

  // Who polls.

  /** A request has a completion, whatever became of it. */
  void acknowledge(int lowBits) {
    slots.acknowledge(lowBits);
    complete();
  }

  private void complete() {
    if (!slots.isTakeable()) {
      return;
    }
    synchronized (completion) {
      long before = slots.taken();
      long bytes = slots.take();
      budget.give((int) (slots.taken() - before));
      OutboundSource from = source;
      if (bytes > 0 && from != null) {
        completedBytes.set(completedBytes.get() + bytes);
        from.completed(bytes);
      }
    }
  }

  /** The queue pair is gone: the device uses nothing any more. */
  void completeAll() {
    budget.give(slots.acknowledgeAll());
    complete();
  }

  /** Whether the device has completed all that it was ever given; when nobody writes. */
  boolean isGivenBack() {
    return slots.outstanding() == 0 && !hasUnoffered();
  }

  /** Whether a write has failed after the device was given requests; when nobody writes. */
  boolean hasUnoffered() {
    return refused || slots.unoffered() > 0;
  }

  /** Whether nothing is outstanding, and the source has heard of all that was. */
  boolean isQuiet() {
    if (outstanding() > 0) {
      return false;
    }
    synchronized (completion) { // who has taken the last may be telling the source
      return true;
    }
  }

  // Any thread.

  /** Requests that are not completed. */
  int outstanding() {
    return slots.outstanding();
  }

  /** Bytes whose memory the device may still read. */
  long outstandingBytes() {
    long done = completedBytes.get(); // first: it never passes what was sent
    return sentBytes.get() - done;
  }

  /** What was posted. */
  SendRequests posted() {
    return requests;
  }
}
