package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.WaitInterruptedException;
import org.ringwire.idle.Pause;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.infiniband.MemoryDescriptor;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.link.EngineThread;
import org.ringwire.infiniband.verbs.types.SendOpcode;

/** Memory of another node. Any thread. */
final class Region implements RemoteRegion {

  private static final long LONGEST_NS = Long.MAX_VALUE / 4;

  private final NodeMemory owner;
  private final MemoryDescriptor descriptor;
  private final WaitingPlace place;
  private volatile @Nullable Initiator initiator; // since the first operation
  private volatile @Nullable Reason end;

  /** With what carries operations out; null: what the owner has then, or makes. */
  Region(
      NodeMemory owner,
      @Nullable Initiator initiator,
      MemoryDescriptor descriptor,
      WaitingPlace place) {
    this.owner = owner;
    this.initiator = initiator;
    this.descriptor = descriptor;
    this.place = place;
  }

  private Initiator initiator() {
    Initiator known = initiator;
    if (known == null) { // made by another thread meanwhile, it is the same
      known = owner.initiator(descriptor.nodeId());
      initiator = known;
    }
    return known;
  }

  @Override
  public MemoryDescriptor descriptor() {
    return descriptor;
  }

  /** An operation was refused, or found it stale: so would be all. */
  void end(Reason reason) {
    end = reason;
  }

  /** Why there are no operations any more, or null. */
  @Nullable Reason end() {
    return end;
  }

  /** The same, for a life of the node: it is stale if that is another one. */
  @Nullable Reason endIn(long life) {
    if (end == null && descriptor.life() != life) {
      end = Reason.STALE;
    }
    return end;
  }

  @Override
  public void read(long offset, MemorySegment into, Duration timeout) {
    long timeoutNs = nanoseconds(timeout);
    Operation operation = reading(offset, into);
    if (operation != null) {
      run(operation, timeoutNs);
    }
  }

  @Override
  public CompletionStage<Void> readAsync(long offset, MemorySegment into) {
    CompletableFuture<Long> future = new CompletableFuture<>();
    CompletionStage<Void> stage = withoutResult(future);
    start(reading(offset, into), future);
    return stage;
  }

  @Override
  public void write(long offset, MemorySegment from, Duration timeout) {
    long timeoutNs = nanoseconds(timeout);
    Operation operation = writing(offset, from);
    if (operation != null) {
      run(operation, timeoutNs);
    }
  }

  @Override
  public CompletionStage<Void> writeAsync(long offset, MemorySegment from) {
    CompletableFuture<Long> future = new CompletableFuture<>();
    CompletionStage<Void> stage = withoutResult(future);
    start(writing(offset, from), future);
    return stage;
  }

  @Override
  public void writeAndNotify(long offset, MemorySegment from, int tag, Duration timeout) {
    long timeoutNs = nanoseconds(timeout);
    run(notifying(offset, from, tag), timeoutNs);
  }

  @Override
  public CompletionStage<Void> writeAndNotifyAsync(long offset, MemorySegment from, int tag) {
    CompletableFuture<Long> future = new CompletableFuture<>();
    CompletionStage<Void> stage = withoutResult(future);
    start(notifying(offset, from, tag), future);
    return stage;
  }

  private Operation notifying(long offset, MemorySegment from, int tag) {
    if (descriptor.listener() == Notices.NONE) {
      throw new IllegalArgumentException(descriptor + ": nobody listens");
    }
    Objects.checkIndex(tag, 1 << Short.SIZE);
    Operation operation = writing(offset, from);
    if (operation == null) {
      throw new IllegalArgumentException("nothing to write and notify of");
    }
    operation.tells(Notices.immediate(descriptor.listener(), tag));
    return operation;
  }

  @Override
  public long fetchAndAdd(long offset, long delta, Duration timeout) {
    long timeoutNs = nanoseconds(timeout);
    return run(atomic(SendOpcode.ATOMIC_FETCH_AND_ADD, offset, delta, 0), timeoutNs);
  }

  @Override
  public CompletionStage<Long> fetchAndAddAsync(long offset, long delta) {
    CompletableFuture<Long> future = new CompletableFuture<>();
    CompletionStage<Long> stage = future.minimalCompletionStage();
    start(atomic(SendOpcode.ATOMIC_FETCH_AND_ADD, offset, delta, 0), future);
    return stage;
  }

  @Override
  public long compareAndSwap(long offset, long expected, long value, Duration timeout) {
    long timeoutNs = nanoseconds(timeout);
    return run(atomic(SendOpcode.ATOMIC_CMP_AND_SWP, offset, expected, value), timeoutNs);
  }

  @Override
  public CompletionStage<Long> compareAndSwapAsync(long offset, long expected, long value) {
    CompletableFuture<Long> future = new CompletableFuture<>();
    CompletionStage<Long> stage = future.minimalCompletionStage();
    start(atomic(SendOpcode.ATOMIC_CMP_AND_SWP, offset, expected, value), future);
    return stage;
  }

  private @Nullable Operation reading(long offset, MemorySegment into) {
    if (into.isReadOnly()) {
      throw new IllegalArgumentException("cannot read into memory that is read-only");
    }
    return transfer(MemoryPermission.READ, SendOpcode.RDMA_READ, offset, into);
  }

  private @Nullable Operation writing(long offset, MemorySegment from) {
    return transfer(MemoryPermission.WRITE, SendOpcode.RDMA_WRITE, offset, from);
  }

  /** Null if there is nothing to transfer. */
  private @Nullable Operation transfer(
      MemoryPermission permission, int opcode, long offset, MemorySegment local) {
    check(permission, offset, local.byteSize());
    if (local.byteSize() == 0) {
      return null;
    }
    Operation operation = initiator().spare().take();
    operation.transfer(
        opcode,
        this,
        descriptor.address() + offset,
        local,
        owner.registered(descriptor.nodeId(), local));
    return operation;
  }

  private Operation atomic(int opcode, long offset, long compareOrAdd, long value) {
    check(MemoryPermission.ATOMIC, offset, Long.BYTES);
    long address = descriptor.address() + offset;
    if (address % Long.BYTES != 0) {
      throw new IllegalArgumentException("not divisible by 8: address of offset=" + offset);
    }
    Operation operation = initiator().spare().take();
    operation.atomic(opcode, this, address, compareOrAdd, value);
    return operation;
  }

  private void check(MemoryPermission permission, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, descriptor.length());
    if (!descriptor.permits(permission)) {
      throw new RemoteMemoryException(
          Reason.NOT_PERMITTED, descriptor + ": not permitted: " + permission, null);
    }
    Reason ended = end;
    if (ended != null) {
      throw new RemoteMemoryException(
          ended, descriptor + ": as an operation before, " + ended, null);
    }
  }

  private static CompletionStage<Void> withoutResult(CompletableFuture<Long> future) {
    return future.minimalCompletionStage().thenAccept(_ -> {});
  }

  /**
   * Begins it, if there is something to do. What its user gets is made before it: it has memory
   * registered, and from here on it ends in any case.
   */
  private void start(@Nullable Operation operation, CompletableFuture<Long> future) {
    if (operation == null) {
      future.complete(0L);
      return;
    }
    operation.completes(future);
    initiator().submit(operation);
  }

  /** Asked for before there is an operation: that has memory registered, and must end. */
  static long nanoseconds(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout must not be null");
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative: timeout=" + timeout);
    }
    return Math.min(TimeUnit.NANOSECONDS.convert(timeout), LONGEST_NS);
  }

  private long run(Operation operation, long timeoutNs) {
    boolean interrupted = endsInterrupted(operation, timeoutNs);
    try {
      if (interrupted) {
        Thread.currentThread().interrupt();
        throw new WaitInterruptedException(descriptor + ": interrupted while it was used");
      }
      return operation.outcome();
    } finally {
      initiator().spare().give(operation);
    }
  }

  private boolean endsInterrupted(Operation operation, long timeoutNs) {
    try {
      long nowNs = System.nanoTime();
      initiator().submit(operation);
      return await(operation, nowNs, nowNs + timeoutNs);
    } finally {
      abandon(operation);
    }
  }

  /**
   * Ends it, unless it has ended: the caller's memory is his again, also if something was thrown.
   * Where there is no heap for that the device may still use it, and nothing is left but to wait.
   */
  private void abandon(Operation operation) {
    while (!operation.hasEnded()) {
      try {
        initiator().abandon(operation);
      } catch (OutOfMemoryError e) {
        awaitHeap();
      }
    }
  }

  private void awaitHeap() {
    try {
      Pause.blocked(this, EngineThread.NO_HEAP_PAUSE_NS);
    } catch (OutOfMemoryError e) {
      Pause.look();
    }
  }

  /** Waits for the end, or until it takes too long; whether interrupted. */
  private boolean await(Operation operation, long startNs, long deadlineNs) {
    long spinNs = place.spinNs(startNs);
    boolean spins = spinNs > 0;
    int round = 0;
    Initiator way = initiator();
    while (!operation.hasEnded()) {
      boolean _ = way.tryPoll();
      long nowNs = System.nanoTime();
      boolean interrupted = !operation.hasEnded() && Thread.interrupted();
      if (interrupted || nowNs - deadlineNs >= 0) {
        return interrupted;
      }
      if (spins && nowNs - startNs < spinNs) {
        Pause.spinning(++round);
      } else {
        if (spins) {
          spins = false;
          place.failed();
        }
        operation.await(deadlineNs - nowNs);
      }
    }
    if (spins) {
      place.succeeded();
    }
    return false;
  }
}
