package org.ringwire.heap.channel.outbound;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.WaitInterruptedException;
import org.ringwire.heap.GraphLostException;
import org.ringwire.heap.channel.CarriedBlock;

/**
 * Native memory from which blocks are written, used round and round: a block stays where it is
 * until it has been written. For one thread at a time. Once a block was lost nothing more is
 * claimed, and whoever waits for what was written is told, whichever block it was.
 */
final class StagingRing implements AutoCloseable {
  private static final String LATE = "the node did not take what was written in time";
  private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);

  private final SenderEnd end;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final ArrayDeque<Written> written = new ArrayDeque<>();

  /** Made with the ring: a lambda that finds no heap where it comes first is lost for ever. */
  @SuppressWarnings("UnnecessaryLambda")
  private final BiConsumer<Object, @Nullable Throwable> noteFailure = (_, why) -> failed(why);

  @SuppressWarnings("UnnecessaryLambda")
  private final BiConsumer<Object, @Nullable Throwable> freeMemory = (_, _) -> arena.close();

  /** Ends with the last of what was written, each on top of those before: there may be many. */
  private CompletableFuture<Void> all = NOTHING;

  /** What may not be part of that, as there was no heap for it. */
  private @Nullable CompletionStage<Void> unknown;

  private long head;
  private long tail;
  private @Nullable Throwable failure; // the first

  /** Up to which position the memory is free when the write has ended. */
  private record Written(long position, CompletableFuture<Void> write) {}

  /**
   * An empty one.
   *
   * @param capacity a multiple of the unit of blocks
   */
  StagingRing(SenderEnd end, long capacity) {
    this.end = end;
    this.memory = arena.allocate(capacity, CarriedBlock.UNIT);
  }

  MemorySegment memory() {
    return memory;
  }

  /**
   * Room for a block, at most half of the capacity; waits for it. Then {@link #wrote}.
   *
   * @throws GraphLostException if a block before it was lost
   */
  MemorySegment claim(long bytes) {
    long capacity = memory.byteSize();
    long offset = head % capacity;
    if (capacity - offset < bytes) {
      head += capacity - offset;
      offset = 0;
    }
    reap();
    while (head + bytes - tail > capacity) {
      awaitFirst();
    }
    checkNothingLost();
    return memory.asSlice(offset, bytes);
  }

  /** The block that was claimed is being written. */
  void wrote(MemorySegment block, CompletionStage<Void> stage) {
    head = CarriedBlock.aligned(head + block.byteSize());
    unknown = stage;
    try {
      CompletableFuture<Void> write = stage.toCompletableFuture(); // may be another one
      written.addLast(new Written(head, write));
      boolean isOnly = all.isDone() && !all.isCompletedExceptionally();
      all = isOnly ? write : CompletableFuture.allOf(all, write);
    } catch (OutOfMemoryError | StackOverflowError e) {
      failure = failure == null ? e : failure; // nothing more is claimed: there is no second one
      throw e;
    }
    unknown = null;
  }

  /** Looks at what has ended. */
  private void reap() {
    while (!written.isEmpty() && written.getFirst().write.isDone()) {
      Written first = written.removeFirst();
      tail = first.position;
      CompletableFuture<Void> _ = first.write.whenComplete(noteFailure); // now
    }
    if (written.isEmpty()) {
      tail = head;
    }
  }

  private void failed(@Nullable Throwable why) {
    failure = failure == null ? why : failure;
  }

  /** Whether anything was lost, as far as that is known. */
  boolean hasFailed() {
    reap();
    return failure != null;
  }

  /** Ends when all that is being written now has been, or exceptionally. */
  CompletableFuture<?> outcome() {
    Throwable before = failure;
    if (before != null) {
      return CompletableFuture.failedFuture(
          new GraphLostException("blocks before it were lost", before));
    }
    return all;
  }

  /**
   * Waits for all that is being written.
   *
   * @throws GraphLostException if any of it was lost
   */
  void awaitAll() {
    while (!written.isEmpty()) {
      awaitFirst();
    }
    checkNothingLost();
  }

  /**
   * Returns if nothing is known to be lost; does not wait.
   *
   * @throws GraphLostException if a block was lost
   */
  void checkNothingLost() {
    reap();
    Throwable why = failure;
    if (why != null) {
      throw lost(why);
    }
  }

  private void awaitFirst() {
    Written first = written.getFirst();
    try {
      Object _ = first.write.get(TimeUnit.NANOSECONDS.convert(end.timeout()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      failed(e);
      throw end.late(LATE, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException("interrupted while a graph was written", e);
    } catch (ExecutionException e) {
      Throwable why = Objects.requireNonNullElse(e.getCause(), e);
      failed(why);
      throw lost(why);
    }
    reap();
  }

  private MessagingException lost(Throwable why) {
    Throwable cause =
        why instanceof CompletionException ? Objects.requireNonNullElse(why.getCause(), why) : why;
    return new GraphLostException(
        "a graph is lost: nodeId=" + end.peer() + ": " + cause.getMessage(), cause);
  }

  /** The memory goes when nothing is read from it any more. */
  @Override
  public void close() {
    CompletableFuture<Void> rest = unknown == null ? NOTHING : unknown.toCompletableFuture();
    CompletableFuture<?> _ = CompletableFuture.allOf(all, rest).whenComplete(freeMemory);
  }
}
