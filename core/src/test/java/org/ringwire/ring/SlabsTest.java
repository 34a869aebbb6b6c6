package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Threads;

/** Small rings and buffers that share arenas. */
@ExtendWith(NodeWatcher.class)
class SlabsTest {

  private static final long LENGTH = 64 << 10;
  private static final int MANY = 400;

  private final List<Slabs.Piece> taken = new ArrayList<>();
  private final long scopesBefore = NativeMemory.openScopes();
  private final long committedBefore = MemoryBudget.committed();

  @AfterEach
  void everythingIsGivenBack() {
    MemoryBudget.limit(Long.MAX_VALUE);
    taken.forEach(Slabs.Piece::giveBack);
    assertThat(NativeMemory.openScopes()).isEqualTo(scopesBefore);
    assertThat(MemoryBudget.committed()).isEqualTo(committedBefore);
  }

  private Slabs.Piece take() {
    Slabs.Piece piece = Objects.requireNonNull(Slabs.takeForRing(LENGTH));
    taken.add(piece);
    return piece;
  }

  private void giveBack(Slabs.Piece piece) {
    taken.remove(piece);
    piece.giveBack();
  }

  @Test
  void shouldHandOutManyPiecesOfFewArenas() {
    long bytesBefore = NativeMemory.openBytes();
    for (int count = 0; count < MANY; count++) {
      MemorySegment memory = take().memory();
      assertThat(memory.byteSize()).isEqualTo(LENGTH);
      assertThat(memory.address() % 64).isZero();
      memory.fill((byte) count);
    }
    for (int count = 0; count < MANY; count++) {
      MemorySegment memory = taken.get(count).memory();
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) count);
      assertThat(memory.get(ValueLayout.JAVA_BYTE, LENGTH - 1)).isEqualTo((byte) count);
    }
    assertThat(NativeMemory.openScopes() - scopesBefore).isLessThan(MANY / 5);
    long held = NativeMemory.openBytes() - bytesBefore;
    assertThat(held)
        .as("a quarter too much at most")
        .isBetween(MANY * LENGTH, MANY * LENGTH * 5 / 4);
    assertThat(MemoryBudget.committed() - committedBefore).isEqualTo(held);
  }

  @Test
  void shouldHoldNoMoreThanOneRingForOneRing() {
    long bytesBefore = NativeMemory.openBytes();
    Slabs.Piece piece = take();
    assertThat(NativeMemory.openBytes() - bytesBefore).isEqualTo(LENGTH);
    giveBack(piece);
    assertThat(NativeMemory.openBytes()).isEqualTo(bytesBefore);
    assertThat(piece.memory().scope().isAlive()).isFalse();
    assertThatThrownBy(piece::giveBack).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldHandOutAgainWhatWasGivenBack() {
    for (int count = 0; count < MANY; count++) {
      take();
    }
    Slabs.Piece piece = taken.get(MANY / 2);
    giveBack(piece);
    Slabs.Piece again = take();
    while (again.memory().address() != piece.memory().address()) {
      assertThat(taken).hasSizeLessThan(2 * MANY);
      again = take();
    }
    assertThat(NativeMemory.openScopes() - scopesBefore).isLessThan(MANY / 5);
  }

  @Test
  void shouldNeverHandOutAnAbandonedPiece() {
    for (int count = 0; count < MANY; count++) {
      take();
    }
    Slabs.Piece abandoned = taken.remove(MANY / 2);
    abandoned.abandon();
    while (taken.size() < 2 * MANY) {
      assertThat(take().memory().asOverlappingSlice(abandoned.memory())).isEmpty();
    }
    assertThat(abandoned.memory().scope().isAlive()).isTrue();
    taken.forEach(Slabs.Piece::giveBack);
    taken.clear();
    assertThat(abandoned.memory().scope().isAlive()).as("goes with the last other one").isFalse();
  }

  @Test
  void shouldKeepTheBudgetToTheLastPiece() {
    for (int count = 0; count < 40; count++) {
      take();
    }
    MemoryBudget.limit(MemoryBudget.committed() + 2 * LENGTH); // no room for a slab of ten
    while (Slabs.hasFree(LENGTH)) {
      take();
    }
    long committed = MemoryBudget.committed();
    for (int count = 0; count < 2; count++) {
      taken.add(Objects.requireNonNull(Slabs.takeForRing(LENGTH)));
    }
    assertThat(MemoryBudget.committed()).isEqualTo(committed + 2 * LENGTH);
    assertThat(Slabs.takeForRing(LENGTH)).isNull();
    AtomicInteger told = new AtomicInteger();
    MemoryBudget.whenReleased(told::incrementAndGet);
    giveBack(taken.get(30)); // its slab stays
    assertThat(told).hasValue(1);
    assertThat(MemoryBudget.committed()).isEqualTo(committed + 2 * LENGTH);
    assertThat(Slabs.hasFree(LENGTH)).isTrue();
    taken.add(Objects.requireNonNull(Slabs.takeForRing(LENGTH)));
    assertThat(Slabs.takeForRing(LENGTH)).isNull();
  }

  @Test
  void shouldGiveEachPieceToOneThreadAtATime() throws InterruptedException {
    Threads threads = new Threads();
    for (int id = 1; id <= 4; id++) {
      long mark = id;
      threads.start(() -> exchange(mark));
    }
    threads.join();
  }

  private static void exchange(long mark) {
    SplittableRandom random = new SplittableRandom(mark);
    Slabs.Piece[] held = new Slabs.Piece[32];
    for (int round = 0; round < 20_000; round++) {
      int slot = random.nextInt(held.length);
      Slabs.Piece piece = held[slot];
      if (piece == null) {
        piece = Objects.requireNonNull(Slabs.takeForRing(4 << 10));
        piece.memory().set(ValueLayout.JAVA_LONG, 64, mark << 32 | slot);
        held[slot] = piece;
      } else {
        assertThat(piece.memory().get(ValueLayout.JAVA_LONG, 64)).isEqualTo(mark << 32 | slot);
        piece.giveBack();
        held[slot] = null;
      }
    }
    for (Slabs.Piece piece : held) {
      if (piece != null) {
        piece.giveBack();
      }
    }
  }
}
