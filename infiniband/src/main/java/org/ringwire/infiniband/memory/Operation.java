package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.infiniband.verbs.types.SendOpcode;

/**
 * An operation on memory of another node. It is posted in pieces, in order, and they land in order.
 * Guarded by the lock of its {@link Initiator}, but for the end, which its thread waits for.
 */
final class Operation implements Runnable {

  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

  private int opcode;
  private @Nullable Region region;
  private long address;
  private MemorySegment memory = NOTHING;
  private @Nullable MemoryRegion registration;
  private long length;
  private long operand;
  private long swap;
  private boolean notifies;
  private int immediate;
  private int submittedAt;
  private long posted;
  private long landed;
  private long result;
  private @Nullable RuntimeException failure;
  private int peer;
  private @Nullable Reason reason; // of a failure that nobody has made an exception of
  private String what = "";
  private @Nullable Throwable cause;
  private @Nullable CompletableFuture<Long> future;
  private boolean untold;
  private @Nullable Operation next; // guarded by the list
  private volatile @Nullable Thread waiter;
  private volatile boolean ended; // written after all else, read before it

  Operation() {}

  /** Begins: a read or a write. */
  void transfer(
      int code, Region of, long at, MemorySegment local, @Nullable MemoryRegion registered) {
    begin(code, of, at, local.byteSize());
    memory = local;
    registration = registered;
  }

  /** Begins: an atomic. */
  void atomic(int code, Region of, long at, long compareOrAdd, long newValue) {
    begin(code, of, at, Long.BYTES);
    operand = compareOrAdd;
    swap = newValue;
  }

  /** Its last piece tells the owner. */
  void tells(int bits) {
    notifies = true;
    immediate = bits;
  }

  private void begin(int code, Region of, long at, long bytes) {
    notifies = false;
    opcode = code;
    region = of;
    address = at;
    length = bytes;
    posted = 0;
    landed = 0;
    result = 0;
    failure = null;
    reason = null;
    cause = null;
    ended = false;
  }

  /** Nobody waits: a future is told, once. */
  void completes(CompletableFuture<Long> stage) {
    future = stage;
  }

  // Of the lock.

  int opcode() {
    return opcode;
  }

  boolean isAtomic() {
    return opcode == SendOpcode.ATOMIC_FETCH_AND_ADD || opcode == SendOpcode.ATOMIC_CMP_AND_SWP;
  }

  /** Whether its last piece tells the owner. */
  boolean notifies() {
    return notifies;
  }

  int immediate() {
    return immediate;
  }

  Region region() {
    Region current = region;
    if (current == null) {
      throw new IllegalStateException("an operation that has ended");
    }
    return current;
  }

  /** It is submitted when so many queue pairs have been made. */
  void submittedAt(int generation) {
    submittedAt = generation;
  }

  /** Whether a queue pair leads to another life, and was asked for before it. */
  boolean isOutdated(long life, int generation) {
    return isAtRest()
        && region().descriptor().life() != life
        && submittedAt == generation
        && region().end() == null;
  }

  /** Where the next piece goes, there. */
  long remoteAddress() {
    return address + posted;
  }

  MemorySegment memory() {
    return memory;
  }

  /** What it uses where it lies, or null if it is copied. */
  @Nullable MemoryRegion registration() {
    return registration;
  }

  long operand() {
    return operand;
  }

  long swap() {
    return swap;
  }

  /** Bytes that were posted. */
  long posted() {
    return posted;
  }

  long unposted() {
    return length - posted;
  }

  /** Whether none of it is under way. */
  boolean isAtRest() {
    return posted == landed;
  }

  /** Whether all of it has landed. */
  boolean isComplete() {
    return landed == length;
  }

  void post(int bytes) {
    posted += bytes;
  }

  void land(int bytes) {
    landed += bytes;
  }

  /** What was not carried out is posted again. */
  void rewind(long from) {
    posted = from;
  }

  /**
   * It goes no further: what is posted is all, and nobody is told of that, also if posted again.
   */
  void cut(RuntimeException why) {
    length = posted;
    notifies = false;
    failure = why;
  }

  /** It lands, and yet it has failed. */
  void fail(RuntimeException why) {
    if (failure == null) {
      failure = why;
    }
  }

  void result(long value) {
    result = value;
  }

  /** It ends with this, as {@link Failures} says it, unless it has failed before. Needs no heap. */
  void fail(int node, Reason why, String happened, @Nullable Throwable by) {
    peer = node;
    reason = why;
    what = happened;
    cause = by;
  }

  /** The last call of the initiator, but for {@link #hasFuture}. Needs no heap. */
  void end() {
    memory = NOTHING;
    registration = null;
    region = null;
    ended = true;
    LockSupport.unpark(waiter); // pairs with await(): it looks after it has said that it waits
  }

  /** Whether somebody is to be told of the end by {@link Endings}, instead of waiting. */
  boolean hasFuture() {
    return future != null;
  }

  // Who tells of the end.

  /** As {@link #tell}, for who tries it again where there is no heap. */
  @Override
  public void run() {
    tell();
  }

  /** Ends the future. */
  void tell() {
    CompletableFuture<Long> stage = future;
    RuntimeException why = failure();
    if (stage == null) {
      throw new IllegalStateException("nobody to tell");
    }
    if (why == null) {
      stage.complete(result);
    } else {
      stage.completeExceptionally(new CompletionException(why)); // as stages would, without heap
    }
  }

  boolean isTold() {
    CompletableFuture<Long> stage = future;
    return stage != null && stage.isDone();
  }

  /** Whether {@link Endings} keep it, which guard this. */
  boolean isUntold() {
    return untold;
  }

  void untold(boolean kept) {
    untold = kept;
  }

  /** The next one in the list that it is in. */
  @Nullable Operation next() {
    return next;
  }

  void next(@Nullable Operation operation) {
    next = operation;
  }

  // Who waits.

  boolean hasEnded() {
    return ended;
  }

  /** Waits for the end, at most so long, or for no reason. */
  void await(long longestNs) {
    waiter = Thread.currentThread();
    if (!ended) {
      Pause.blocked(this, longestNs);
    }
    waiter = null;
  }

  /** What it has brought; throws if it has failed. After the end. */
  long outcome() {
    RuntimeException why = failure();
    if (why != null) {
      throw why;
    }
    return result;
  }

  private @Nullable RuntimeException failure() {
    Reason why = reason;
    if (failure != null || why == null) {
      return failure;
    }
    RemoteMemoryException told = Failures.of(peer, why, what, cause);
    return isUntrue(why)
        ? new RemoteMemoryException(
            Reason.UNCERTAIN,
            "a part was carried out: bytes="
                + landed
                + " length="
                + length
                + ": "
                + told.getMessage(),
            told)
        : told;
  }

  /** Two reasons say that nothing was changed there, and a part has landed. */
  private boolean isUntrue(Reason why) {
    boolean changed = landed > 0 && opcode != SendOpcode.RDMA_READ;
    return changed && (why == Reason.STALE || why == Reason.UNREACHABLE);
  }
}
