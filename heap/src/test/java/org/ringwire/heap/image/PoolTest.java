package org.ringwire.heap.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What is counted of the memory that a pool keeps, where there is none to trim it. */
@ExtendWith(NodeWatcher.class)
class PoolTest {
  private static final long SPARE = Pool.MOST_SPARE_EACH;

  private final Things pool = new Things();

  private static final class Thing implements Pool.Kept {
    private final boolean isPoor;
    private long spare = SPARE;

    Thing(boolean isPoor) {
      this.isPoor = isPoor;
    }

    @Override
    public long spareBytes() {
      return spare;
    }

    @Override
    public void trim() {
      if (isPoor) {
        throw new OutOfMemoryError("on purpose");
      }
      spare = 0;
    }
  }

  private static final class Things extends Pool<Thing> {
    @Override
    protected Thing make() {
      return new Thing(false);
    }
  }

  @BeforeEach
  void fill() {
    for (long kept = 0; kept < Pool.MOST_SPARE; kept += SPARE) {
      assertThat(pool.count(new Thing(false), 0)).isEqualTo(SPARE);
    }
  }

  /** Of one that is let go of, exactly its own is free. */
  private void expectFull() {
    assertThat(pool.count(new Thing(false), 0)).isZero();
    pool.uncount(SPARE);
    assertThat(pool.count(new Thing(false), 0)).isEqualTo(SPARE);
  }

  @Test
  void shouldNotCountWhatIsGivenBackAndCannotBeTrimmed() {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> pool.giveBack(new Thing(true))).isInstanceOf(OutOfMemoryError.class);
    }
    expectFull();
  }

  @Test
  void shouldCountAsBeforeWhatIsUsedAndCannotBeTrimmed() {
    assertThatThrownBy(() -> pool.count(new Thing(true), 0)).isInstanceOf(OutOfMemoryError.class);
    expectFull();

    assertThatThrownBy(() -> pool.count(new Thing(true), SPARE / 2))
        .isInstanceOf(OutOfMemoryError.class);
    expectFull();
  }
}
