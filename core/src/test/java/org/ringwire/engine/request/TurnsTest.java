package org.ringwire.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** When threads of a crowd let each other run, by a clock and turns that the test controls. */
@ExtendWith(NodeWatcher.class)
class TurnsTest {

  private static final int FELLOWS = 16;
  private static final long SHORT_NS = 5_000;
  private static final long SLICE_NS = 3_000_000;

  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 1_000_000); // it may overflow
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger written = new AtomicInteger();
  private long turnNs = SHORT_NS;
  private int doneAfter = Integer.MAX_VALUE;

  private final Turns turns =
      new Turns(
          nowNs::get,
          () -> {
            taken.incrementAndGet();
            nowNs.addAndGet(turnNs);
          });

  private boolean await() {
    taken.set(0);
    return turns.await(() -> taken.get() >= doneAfter, FELLOWS, written::incrementAndGet);
  }

  private void assertCalmFor(long lengthNs) {
    nowNs.addAndGet(lengthNs - 1);
    assertThat(turns.mayBegin()).isFalse();
    nowNs.addAndGet(1);
    assertThat(turns.mayBegin()).isTrue();
  }

  @Test
  void shouldTakeTurnsUntilItIsThere() {
    doneAfter = 3;
    assertThat(turns.mayBegin()).isTrue();
    assertThat(await()).isTrue();
    assertThat(taken).hasValue(3);
  }

  @Test
  void shouldWriteAfterTheFirstTurnAlways() {
    doneAfter = 1;
    await();
    assertThat(written).hasValue(1);
    turnNs = SLICE_NS;
    await();
    assertThat(written).hasValue(2);
    doneAfter = Integer.MAX_VALUE;
    await();
    assertThat(written).hasValue(3);
  }

  @Test
  void shouldParkAfterEnoughTurns() {
    assertThat(await()).isFalse();
    assertThat(taken).hasValue(Turns.MOST);
  }

  @Test
  void shouldStopWhenATurnWasSomebodyElsesSlice() {
    turnNs = SLICE_NS;
    assertThat(await()).isFalse();
    assertThat(taken).hasValue(1);
    assertCalmFor(Turns.CALM_NS);
  }

  @Test
  void shouldStopForLongerWhenItHappensAgain() {
    turnNs = SLICE_NS;
    long calmNs = Turns.CALM_NS;
    for (int i = 0; i < 10; i++) {
      await();
      assertCalmFor(Math.min(calmNs, Turns.LONGEST_CALM_NS));
      calmNs *= 2;
    }
    nowNs.addAndGet(Turns.SOON_NS);
    await();
    assertCalmFor(Turns.CALM_NS);
  }

  @Test
  void shouldCountOneSliceOnce() {
    turnNs = SLICE_NS;
    await();
    await(); // a fellow that has waited through the same slice
    nowNs.addAndGet(-SLICE_NS);
    assertCalmFor(Turns.CALM_NS);
  }

  @Test
  void shouldGiveEachFellowItsShare() {
    turnNs = Turns.FOREIGN_NS + FELLOWS * Turns.SHARE_NS;
    assertThat(await()).isFalse();
    assertThat(taken).hasValue(Turns.MOST);
    turnNs++;
    await();
    assertThat(taken).hasValue(1);
  }

  @Test
  void shouldSkipMoreAndMoreWaitsWhileTurnsAreInVain() {
    int begun = 0;
    for (int wait = 0; wait < 2000; wait++) {
      if (turns.mayBegin()) {
        begun++;
        await();
      }
    }
    assertThat(begun).isBetween(10, 30);
    doneAfter = 1;
    while (!turns.mayBegin()) {
      nowNs.incrementAndGet();
    }
    await();
    for (int wait = 0; wait < 10; wait++) {
      assertThat(turns.mayBegin()).isTrue();
    }
  }
}
