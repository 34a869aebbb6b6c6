package org.ringwire.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** When threads of a crowd yield, by a clock and yields that the test controls. */
@ExtendWith(NodeWatcher.class)
class YieldingWaitTest {

  private static final int THREADS = 16;
  private static final long SHORT_NS = 5_000;
  private static final long SLICE_NS = 3_000_000;

  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 1_000_000); // it may overflow
  private final AtomicInteger yields = new AtomicInteger();
  private final AtomicInteger written = new AtomicInteger();
  private long yieldNs = SHORT_NS;
  private int doneAfter = Integer.MAX_VALUE;

  private final YieldingWait wait =
      new YieldingWait(
          nowNs::get,
          () -> {
            yields.incrementAndGet();
            nowNs.addAndGet(yieldNs);
          });

  private boolean await() {
    yields.set(0);
    return wait.await(() -> yields.get() >= doneAfter, THREADS, written::incrementAndGet);
  }

  private void assertBacksOffFor(long lengthNs) {
    nowNs.addAndGet(lengthNs - 1);
    assertThat(wait.mayYield()).isFalse();
    nowNs.addAndGet(1);
    assertThat(wait.mayYield()).isTrue();
  }

  @Test
  void shouldYieldUntilItIsThere() {
    doneAfter = 3;
    assertThat(wait.mayYield()).isTrue();
    assertThat(await()).isTrue();
    assertThat(yields).hasValue(3);
  }

  @Test
  void shouldWriteAfterTheFirstYieldAlways() {
    doneAfter = 1;
    await();
    assertThat(written).hasValue(1);
    yieldNs = SLICE_NS;
    await();
    assertThat(written).hasValue(2);
    doneAfter = Integer.MAX_VALUE;
    await();
    assertThat(written).hasValue(3);
  }

  @Test
  void shouldParkAfterEnoughYields() {
    assertThat(await()).isFalse();
    assertThat(yields).hasValue(YieldingWait.MOST_YIELDS);
  }

  @Test
  void shouldBackOffWhenAYieldWasATimeSlice() {
    yieldNs = SLICE_NS;
    assertThat(await()).isFalse();
    assertThat(yields).hasValue(1);
    assertBacksOffFor(YieldingWait.BACK_OFF_NS);
  }

  @Test
  void shouldBackOffForLongerWhenItHappensAgain() {
    yieldNs = SLICE_NS;
    long backOffNs = YieldingWait.BACK_OFF_NS;
    for (int i = 0; i < 10; i++) {
      await();
      assertBacksOffFor(Math.min(backOffNs, YieldingWait.LONGEST_BACK_OFF_NS));
      backOffNs *= 2;
    }
    nowNs.addAndGet(YieldingWait.SOON_NS);
    await();
    assertBacksOffFor(YieldingWait.BACK_OFF_NS);
  }

  @Test
  void shouldCountOneSliceOnce() {
    yieldNs = SLICE_NS;
    await();
    await(); // another thread that has waited through the same slice
    nowNs.addAndGet(-SLICE_NS);
    assertBacksOffFor(YieldingWait.BACK_OFF_NS);
  }

  @Test
  void shouldGiveEachThreadItsShare() {
    yieldNs = YieldingWait.TIME_SLICE_NS + THREADS * YieldingWait.SHARE_NS;
    assertThat(await()).isFalse();
    assertThat(yields).hasValue(YieldingWait.MOST_YIELDS);
    yieldNs++;
    await();
    assertThat(yields).hasValue(1);
  }

  @Test
  void shouldSkipMoreAndMoreWaitsWhileYieldingIsInVain() {
    int begun = 0;
    for (int i = 0; i < 2000; i++) {
      if (wait.mayYield()) {
        begun++;
        await();
      }
    }
    assertThat(begun).isBetween(10, 30);
    doneAfter = 1;
    while (!wait.mayYield()) {
      nowNs.incrementAndGet();
    }
    await();
    for (int i = 0; i < 10; i++) {
      assertThat(wait.mayYield()).isTrue();
    }
  }
}
