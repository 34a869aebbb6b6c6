package org.ringwire.ring;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An arena whose first allocation is a piece of a slab, if it fits; anything else comes from a
 * shared arena of its own, which exists only when somebody asks. The piece lives at least as long
 * as this, and is not part of its {@link #scope}: closing this makes nothing of the piece throw;
 * who owns the piece gives it back. Any thread; guarded by this.
 */
final class PieceArena implements Arena {

  private final MemorySegment piece;
  private boolean pieceUsed;
  private @Nullable Arena own;

  PieceArena(MemorySegment piece) {
    this.piece = piece;
  }

  @Override
  public synchronized MemorySegment allocate(long byteSize, long byteAlignment) {
    if (pieceUsed || byteSize > piece.byteSize() || piece.address() % byteAlignment != 0) {
      return own().allocate(byteSize, byteAlignment);
    }
    pieceUsed = true;
    return piece.asSlice(0, byteSize);
  }

  /** Whether the piece is what was allocated. */
  synchronized boolean isPieceUsed() {
    return pieceUsed;
  }

  @Override
  public synchronized MemorySegment.Scope scope() {
    return own().scope();
  }

  private Arena own() {
    Arena arena = own;
    if (arena == null) {
      arena = Arena.ofShared();
      own = arena;
    }
    return arena;
  }

  @Override
  public synchronized void close() {
    if (own != null) {
      own.close();
    }
  }
}
