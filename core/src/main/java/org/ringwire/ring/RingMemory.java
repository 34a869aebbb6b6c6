package org.ringwire.ring;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where a ring takes its memory from when it wakes, and lets go of it when it rests (design rule
 * 6). Each time the memory is new, in a scope of its own: it is freed rather than kept, because a
 * node may have as many idle rings as it has peers, and what counts is what all of them hold.
 * Zeroing a mebibyte costs some 100 us, once per time of rest. Any thread; guarded by itself.
 */
public final class RingMemory implements AutoCloseable {

  /** What a ring has while it rests: zeros, where a consumer looks for its first frame. */
  static final MemorySegment NOTHING = Arena.global().allocate(OutboundRing.MIN_CAPACITY, 64);

  /** Takes memory from the transport, which knows what its medium needs. */
  @FunctionalInterface
  public interface Allocator {
    /** Zeroed memory for a ring, which lives as long as the arena. */
    MemorySegment allocate(Arena arena);
  }

  private final String owner;
  private final Allocator allocator;
  private NativeMemory.@Nullable Scope scope;
  private boolean closed;

  /**
   * None taken yet.
   *
   * @param owner shown by {@link NativeMemory#openOwners()}
   */
  public RingMemory(String owner, Allocator allocator) {
    this.owner = owner;
    this.allocator = allocator;
  }

  /** New memory for the ring; null once this is closed. */
  synchronized @Nullable MemorySegment take() {
    if (closed) {
      return null;
    }
    if (scope != null) {
      throw new IllegalStateException("the ring has memory: owner=" + owner);
    }
    NativeMemory.Scope fresh = NativeMemory.open(owner);
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

  /** Frees what the ring has; it gets no more. */
  @Override
  public void close() {
    NativeMemory.Scope unused;
    synchronized (this) {
      closed = true;
      unused = giveBack();
    }
    if (unused != null) {
      unused.close();
    }
  }
}
