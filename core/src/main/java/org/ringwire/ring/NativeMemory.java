package org.ringwire.ring;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The one factory of arenas. The JDK cannot list the arenas that are open, so they are counted
 * here, and a test that leaves one behind can say whose it was. All methods may be called by any
 * thread.
 *
 * <p>Those that are open are a list through themselves: to add one takes no heap, and neither does
 * to take one out, which is what gives memory back where there is none. A concurrent map of the JDK
 * may have done either and then find no heap to count it.
 */
public final class NativeMemory {

  /** What released memory is filled with when {@code -Dringwire.poison=true} is set. */
  public static final byte POISON = (byte) 0xDD;

  private static final boolean POISONED = Boolean.getBoolean("ringwire.poison");
  private static final Object LOCK = new Object();
  private static @Nullable Scope first; // guarded by LOCK, as the next
  private static int openScopes;
  private static final AtomicLong OPEN_BYTES = new AtomicLong();

  private NativeMemory() {}

  /**
   * Opens a scope, which the caller owns and closes.
   *
   * @param owner shown by {@link #openOwners()}
   */
  public static Scope open(String owner) {
    return opened(new Scope(owner, Arena.ofShared(), null));
  }

  /** As {@link #open(String)}, for memory of which perhaps only a part is used. */
  static Scope openLazy(String owner) {
    return opened(new Scope(owner, new LazyMemory.LazyArena(), null));
  }

  /**
   * Opens a scope around a piece of a slab, which goes back when the scope is closed, or now if
   * there is no heap for one.
   */
  static Scope open(String owner, Slabs.Piece piece) {
    Scope scope = null;
    try {
      scope = opened(new Scope(owner, new PieceArena(piece.memory()), piece));
    } finally {
      if (scope == null) {
        piece.giveBack();
      }
    }
    return scope;
  }

  private static Scope opened(Scope scope) {
    synchronized (LOCK) {
      Scope second = first;
      scope.next = second;
      if (second != null) {
        second.previous = scope;
      }
      first = scope;
      openScopes++;
    }
    return scope;
  }

  private static void closed(Scope scope) {
    synchronized (LOCK) {
      Scope before = scope.previous;
      Scope behind = scope.next;
      if (before == null) {
        first = behind;
      } else {
        before.next = behind;
      }
      if (behind != null) {
        behind.previous = before;
      }
      scope.previous = null; // who keeps one that is closed keeps no others
      scope.next = null;
      openScopes--;
    }
  }

  /** Number of scopes that are open. */
  public static long openScopes() {
    synchronized (LOCK) {
      return openScopes;
    }
  }

  /** Bytes allocated in scopes that are open. */
  public static long openBytes() {
    return OPEN_BYTES.get();
  }

  /** Owners of the scopes that are open, sorted; one entry per scope. */
  public static List<String> openOwners() {
    List<String> owners = new ArrayList<>();
    synchronized (LOCK) {
      for (Scope scope = first; scope != null; scope = scope.next) {
        owners.add(scope.owner);
      }
    }
    Collections.sort(owners);
    return owners;
  }

  /** Whether memory is to be filled with {@link #POISON} when it is released. */
  static boolean poisoned() {
    return POISONED;
  }

  /**
   * Native memory with one end: an arena that any thread may use, or a piece of one that many share
   * ({@link Slabs}). Whoever closes it must know that nobody uses it any more: every access to the
   * memory of an arena throws from then on, and a piece may belong to somebody else. Closing waits
   * for all threads of the JVM to reach a safe point: not for threads that serve many connections.
   */
  public static final class Scope implements AutoCloseable {

    private final String owner;
    private final Slabs.@Nullable Piece piece;
    private final Arena arena;
    private final AtomicLong bytes = new AtomicLong();
    private long committed; // guarded by this, as the next
    private boolean closed;
    private @Nullable Scope previous; // of those that are open; guarded by LOCK, as the next
    private @Nullable Scope next;

    private Scope(String owner, Arena arena, Slabs.@Nullable Piece piece) {
      this.owner = owner;
      this.arena = arena;
      this.piece = piece;
    }

    /**
     * The arena; what is allocated from it directly is counted in {@link #openBytes()} only after
     * {@link #count}.
     */
    public Arena arena() {
      return arena;
    }

    /** Counts bytes that were allocated from the arena directly; those of slabs are counted. */
    void count(long length) {
      if (arena instanceof PieceArena pieces && pieces.isPieceUsed()) {
        return;
      }
      bytes.addAndGet(length);
      OPEN_BYTES.addAndGet(length);
    }

    /** Bytes committed in the {@link MemoryBudget} are given back when this is closed. */
    synchronized void committed(long length) {
      committed += length;
    }

    /**
     * Allocates zeroed memory that lives as long as this scope.
     *
     * @param alignment in bytes, a power of two
     */
    public MemorySegment allocate(long length, long alignment) {
      MemorySegment segment = arena.allocate(length, alignment);
      count(length);
      return segment;
    }

    /** Who opened it. */
    public String owner() {
      return owner;
    }

    /**
     * Frees the memory; a second call does nothing.
     *
     * @throws IllegalStateException if a system call is using the memory; the scope stays open
     */
    @Override
    public void close() {
      close(true);
    }

    /** As {@link #close}, though somebody may still be in the memory: nobody else gets it. */
    void abandon() {
      close(false);
    }

    private void close(boolean reusable) {
      long unused;
      boolean mapped;
      synchronized (this) {
        if (closed) {
          return;
        }
        mapped = arena instanceof LazyMemory.LazyArena lazy && lazy.isMapped();
        arena.close();
        closed = true;
        unused = committed;
      }
      NativeMemory.closed(this);
      OPEN_BYTES.addAndGet(-bytes.get());
      try { // not under the lock: it wakes others, for which there may be no heap
        NativeTrim.freed(mapped ? 0 : bytes.get());
        if (unused > 0) {
          MemoryBudget.release(unused);
        }
      } finally {
        if (piece != null && reusable) {
          piece.giveBack();
        } else if (piece != null) {
          piece.abandon();
        }
      }
    }
  }
}
