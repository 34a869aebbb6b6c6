package org.ringwire.ring;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Small pieces of native memory, many from one arena, for rings and for buffers. An arena of its
 * own for each of many small things would be too many: closing one stops all threads of the JVM for
 * a moment, which takes milliseconds where there are a thousand threads, and 256 nodes that all
 * talk to each other have 65,000 rings. A slab is one arena with up to {@value #SLAB_LENGTH} bytes
 * of pieces of one length; it is closed when its last piece has come back. Any thread; guarded by
 * this.
 *
 * <p><b>Size.</b> A slab has a quarter as many pieces as there are in use, at least one: so few
 * rings hold what they need and not a mebibyte each, and what lies unused in new slabs is a quarter
 * at most. Pieces are taken from the oldest slab that has one, so that the younger ones come empty
 * and are closed. What the process has committed for rings and what it holds ({@link MemoryBudget},
 * {@link NativeMemory#openBytes}) is whole slabs, so a piece of a slab that is there costs nothing
 * more.
 *
 * <p><b>No use after free.</b> An arena of its own makes every late access throw. A piece does not:
 * it may have another owner by then. So who gives it back states that nobody will touch it again.
 * For a buffer that is what its pool demands anyway, which hands buffers out again. For a ring two
 * things make it true. While a connection lives, its ring gives memory back only in {@link
 * OutboundRing#rest}, which argues that no producer, consumer or completer is inside and none comes
 * before it has new memory. When a connection has ended, the consumer's role was retired and the
 * ring sealed, so the only one who may still be inside is a producer that claimed before that and
 * whose codec does not return; that is visible ({@link RingConsumer#isCommitted}), and the memory
 * is then <em>abandoned</em>: the piece is never handed out again, and goes when the rest of its
 * slab does, after which an access throws as ever.
 */
final class Slabs {

  /** Bytes of the longest piece. */
  static final long LONGEST_PIECE = 64 << 10;

  /** Bytes of a slab, but for a few that keep pieces from sharing the sets of a cache. */
  static final long SLAB_LENGTH = 1 << 20;

  private static final int SHORTEST_SHIFT = 12;
  private static final int LONGEST_SHIFT = Long.numberOfTrailingZeros(LONGEST_PIECE);
  private static final int MAX_PIECES = Long.SIZE;
  private static final long ALIGNMENT = 64;

  /** A new slab has one piece for so many that are in use. */
  private static final int IN_USE_PER_PIECE = 4;

  private static final Slabs[] FOR_RINGS = byLength(true);
  private static final Slabs[] FOR_BUFFERS = byLength(false);

  private final boolean forRings;
  private final long pieceLength;
  private final int mostPieces;

  /** Those that have a free piece; guarded by this, as the next. */
  private final TreeSet<Slab> withRoom = new TreeSet<>(Comparator.comparingLong(Slab::number));

  private int inUse;
  private long lastNumber;

  private Slabs(boolean forRings, long pieceLength) {
    this.forRings = forRings;
    this.pieceLength = pieceLength;
    mostPieces = (int) Math.min(MAX_PIECES, SLAB_LENGTH / pieceLength);
  }

  private static Slabs[] byLength(boolean forRings) {
    Slabs[] slabs = new Slabs[LONGEST_SHIFT - SHORTEST_SHIFT + 1];
    for (int index = 0; index < slabs.length; index++) {
      slabs[index] = new Slabs(forRings, 1L << (SHORTEST_SHIFT + index));
    }
    return slabs;
  }

  /** Whether memory of this length is a piece of a slab. */
  static boolean serve(long length) {
    return length > 0 && length <= LONGEST_PIECE;
  }

  /** Whether there is a piece for a ring that costs nothing more; a hint. */
  static boolean hasFree(long length) {
    return serve(length) && FOR_RINGS[index(length)].hasFree();
  }

  private synchronized boolean hasFree() {
    return !withRoom.isEmpty();
  }

  /**
   * Takes a piece with any content, aligned to 64 bytes, which the caller owns and gives back. What
   * it takes is committed in the {@link MemoryBudget}.
   *
   * @param length bytes needed, up to {@link #LONGEST_PIECE}
   * @return null if the process may have no more
   */
  static @Nullable Piece takeForRing(long length) {
    return FOR_RINGS[index(length)].take();
  }

  /**
   * As {@link #takeForRing}, and never null: what buffers hold was committed with the windows and
   * grants that they are for.
   */
  static Piece takeForBuffer(long length) {
    return Objects.requireNonNull(FOR_BUFFERS[index(length)].take());
  }

  private static int index(long length) {
    int shift = Long.SIZE - Long.numberOfLeadingZeros(length - 1);
    return Math.max(0, shift - SHORTEST_SHIFT);
  }

  private @Nullable Piece take() {
    Piece piece = takeFree();
    if (piece != null) {
      return piece;
    }
    Slab slab = open(newSlabPieces());
    return slab == null ? null : takeFirst(slab);
  }

  private synchronized @Nullable Piece takeFree() {
    return withRoom.isEmpty() ? null : takeFrom(withRoom.first());
  }

  private Piece takeFirst(Slab slab) {
    boolean kept = false;
    try {
      Piece piece = add(slab);
      kept = true;
      return piece;
    } finally {
      if (!kept) { // there was no heap for that
        forget(slab);
        slab.scope.close();
      }
    }
  }

  private synchronized Piece add(Slab slab) {
    slab.number = ++lastNumber;
    Piece piece = takeFrom(slab);
    if (slab.free != 0) {
      withRoom.add(slab);
    }
    return piece;
  }

  private synchronized void forget(Slab slab) {
    inUse -= Long.bitCount(slab.used);
  }

  /** With the lock held. */
  private Piece takeFrom(Slab slab) {
    long bit = Long.lowestOneBit(slab.free);
    long offset = Long.numberOfTrailingZeros(bit) * stride();
    // First, as there may be no heap for it.
    Piece piece = new Piece(slab, bit, slab.memory.asSlice(offset, pieceLength));
    slab.free &= ~bit;
    slab.used |= bit;
    if (slab.free == 0) {
      withRoom.remove(slab);
    }
    inUse++;
    return piece;
  }

  private synchronized int newSlabPieces() {
    return Integer.highestOneBit(Math.clamp(inUse / IN_USE_PER_PIECE, 1, mostPieces));
  }

  /** Pieces begin in different sets of a cache: a line further each. */
  private long stride() {
    return pieceLength + ALIGNMENT;
  }

  /** A slab of so many pieces, or of one if there is too little memory, or null. */
  private @Nullable Slab open(int wanted) {
    int pieces = wanted;
    long bytes = pieces * stride() - ALIGNMENT;
    if (forRings
        && (wanted == 1 || !MemoryBudget.hasRoom(bytes) || !MemoryBudget.tryCommit(bytes))) {
      pieces = 1;
      bytes = pieceLength;
      if (!MemoryBudget.tryCommit(bytes)) {
        return null;
      }
    }
    NativeMemory.Scope scope = openScope(forRings ? bytes : 0);
    try {
      Slab slab = new Slab(scope, scope.allocate(bytes, ALIGNMENT), pieces);
      scope = null;
      return slab;
    } finally {
      if (scope != null) { // the allocation failed
        scope.close();
      }
    }
  }

  private NativeMemory.Scope openScope(long committed) {
    NativeMemory.Scope scope = null;
    try {
      scope = NativeMemory.openLazy(forRings ? "slab of rings" : "slab of buffers");
    } finally {
      if (scope == null) { // there is no heap for it
        MemoryBudget.release(committed);
      }
    }
    scope.committed(committed);
    return scope;
  }

  private void giveBack(Piece piece, boolean reusable) {
    Slab slab = piece.slab;
    boolean empty;
    synchronized (this) {
      if ((slab.used & piece.bit) == 0) {
        throw new IllegalStateException("given back twice: length=" + pieceLength);
      }
      slab.used &= ~piece.bit;
      inUse--;
      empty = slab.used == 0;
      if (empty) {
        withRoom.remove(slab); // nobody takes from it any more
      } else if (reusable) {
        slab.free |= piece.bit;
        offer(slab);
      }
    }
    if (empty) {
      slab.scope.close();
    } else if (forRings) {
      MemoryBudget.release(0); // who waits for memory may have the piece
    }
  }

  /** With the lock held. If there is no heap for it, the next piece that comes back does it. */
  private void offer(Slab slab) {
    try {
      withRoom.add(slab);
    } catch (OutOfMemoryError e) {
      // what has come back is not lost, and may be all that there is
    }
  }

  /** One arena with its pieces, a bit each; guarded by its Slabs. */
  private static final class Slab {
    private final NativeMemory.Scope scope;
    private final MemorySegment memory;
    private long number;
    private long free;
    private long used;

    Slab(NativeMemory.Scope scope, MemorySegment memory, int pieces) {
      this.scope = scope;
      this.memory = memory;
      free = -1L >>> (Long.SIZE - pieces);
    }

    long number() {
      return number;
    }
  }

  /** Memory that its owner gives back, once. */
  final class Piece {
    private final Slab slab;
    private final long bit;
    private final MemorySegment memory;

    private Piece(Slab slab, long bit, MemorySegment memory) {
      this.slab = slab;
      this.bit = bit;
      this.memory = memory;
    }

    /** All of it. */
    MemorySegment memory() {
      return memory;
    }

    /** Nobody uses it any more, nor will. */
    void giveBack() {
      if (NativeMemory.poisoned()) {
        memory.fill(NativeMemory.POISON);
      }
      Slabs.this.giveBack(this, true);
    }

    /** Somebody may still use it: nobody else gets it. */
    void abandon() {
      Slabs.this.giveBack(this, false);
    }
  }
}
