package org.ringwire.ring;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Where a ring takes its memory from when it wakes, and lets go of it when it rests (design rule
 * 6). Each time the memory is new, in a scope of its own, or a piece of one that small rings share
 * ({@link Slabs}): it is freed rather than kept, because a node may have as many idle rings as it
 * has peers, and what counts is what all of them hold. Of a ring that is longer, pages that were
 * never written take no memory of the machine ({@link LazyMemory}). Any thread; guarded by itself.
 */
public final class RingMemory implements AutoCloseable {

  /** What a ring has while it rests. */
  static final MemorySegment NOTHING = Arena.global().allocate(OutboundRing.MIN_CAPACITY, 64);

  /** Takes memory from the transport, which knows what its medium needs. */
  @FunctionalInterface
  public interface Allocator {
    /** Memory for a ring, which lives as long as the arena. */
    MemorySegment allocate(Arena arena);
  }

  private final String owner;
  private final Allocator allocator;
  private final long length;
  private final Runnable freed;
  private final AtomicBoolean waiting = new AtomicBoolean();
  private NativeMemory.@Nullable Scope scope;
  private boolean closed;

  /**
   * None taken yet.
   *
   * @param owner shown by {@link NativeMemory#openOwners()}
   */
  public RingMemory(String owner, Allocator allocator) {
    this(owner, allocator, 0, () -> {});
  }

  /**
   * None taken yet; what is taken is committed in the {@link MemoryBudget}.
   *
   * @param length bytes that the allocator allocates
   * @param freed told, by any thread, that there may be memory again after {@link #take} or {@link
   *     #isAvailable} found none
   */
  public RingMemory(String owner, Allocator allocator, long length, Runnable freed) {
    this.owner = owner;
    this.allocator = allocator;
    this.length = length;
    this.freed = freed;
  }

  /** Bytes that are taken at a time. */
  long length() {
    return length;
  }

  /** Whether a ring that rests could have its memory now; if not, who waits will be told. */
  boolean isAvailable() {
    if (!hasRoom()) {
      MemoryBudget.whenReleased(waiting, this::released); // before it is asked again
      return hasRoom();
    }
    return true;
  }

  private boolean hasRoom() {
    return MemoryBudget.hasRoom(length) || Slabs.hasFree(length);
  }

  /** A scope for memory that is committed, or null if the process may have no more. */
  private NativeMemory.@Nullable Scope open() {
    NativeMemory.Scope opened = tryOpen();
    if (opened == null) {
      MemoryBudget.whenReleased(waiting, this::released); // before it is asked again
      opened = tryOpen();
    }
    return opened;
  }

  /**
   * Asks each time: what was there before the handshake may since be what others have, who have
   * begun at the same time.
   */
  private NativeMemory.@Nullable Scope tryOpen() {
    if (Slabs.serve(length)) {
      Slabs.Piece piece = Slabs.takeForRing(length);
      return piece == null ? null : NativeMemory.open(owner, piece);
    }
    if (!MemoryBudget.tryCommit(length)) {
      return null;
    }
    NativeMemory.Scope opened = null;
    try {
      opened = NativeMemory.openLazy(owner);
    } finally {
      if (opened == null) { // there is no heap for it
        MemoryBudget.release(length);
      }
    }
    opened.committed(length);
    return opened;
  }

  private void released() {
    waiting.set(false);
    freed.run();
  }

  /** New memory for the ring; null if the process may have no more, or once this is closed. */
  synchronized @Nullable MemorySegment take() {
    if (closed) {
      return null;
    }
    if (scope != null) {
      throw new IllegalStateException("the ring has memory: owner=" + owner);
    }
    NativeMemory.Scope fresh = open();
    if (fresh == null) {
      return null;
    }
    try {
      MemorySegment memory = allocator.allocate(fresh.arena());
      fresh.count(memory.byteSize());
      scope = fresh;
      return memory;
    } finally {
      if (scope == null) { // the allocation failed
        fresh.close();
      }
    }
  }

  /** The scope of what was taken; the caller closes it when nobody uses it any more. */
  synchronized NativeMemory.@Nullable Scope giveBack() {
    NativeMemory.Scope unused = scope;
    scope = null;
    return unused;
  }

  /** Whether the ring gets no more. */
  synchronized boolean isClosed() {
    return closed;
  }

  /** Frees what the ring has, which nobody uses any more; it gets no more. */
  @Override
  public void close() {
    NativeMemory.Scope unused = end();
    if (unused != null) {
      unused.close();
    }
  }

  /** As {@link #close}, though a producer may still be in the memory: no other ring gets it. */
  void abandon() {
    NativeMemory.Scope unused = end();
    if (unused != null) {
      unused.abandon();
    }
  }

  private synchronized NativeMemory.@Nullable Scope end() {
    closed = true;
    return giveBack();
  }
}
