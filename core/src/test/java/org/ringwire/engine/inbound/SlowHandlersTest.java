package org.ringwire.engine.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.NodeMetrics.SlowHandler;
import org.ringwire.testing.NodeWatcher;

/** The time that slow handlers are found with. */
@ExtendWith(NodeWatcher.class)
class SlowHandlersTest {

  private static final long THRESHOLD_NS = TimeUnit.MILLISECONDS.toNanos(40);

  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final SlowHandlers slow = new SlowHandlers(1, timer, THRESHOLD_NS);

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  @Test
  void shouldFindWhatLastsAndStopWhenNothingIsHandled() {
    slow.wake();
    long began = slow.now();
    long startNs = System.nanoTime();
    await("slow", () -> slow.isSlow(began));
    assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(THRESHOLD_NS);
    await("no more ticks", () -> !slow.isTicking());
    long stoppedNs = System.nanoTime();
    await("some time without ticks", () -> System.nanoTime() - stoppedNs >= THRESHOLD_NS);
    long tookNs = slow.add("Late", 2, began);
    assertThat(tookNs).as("with the time without ticks").isGreaterThan(2 * THRESHOLD_NS);
    assertThat(slow.snapshot()).containsExactly(new SlowHandler("Late", 1, tookNs, tookNs));
    slow.wake();
    assertThat(slow.isTicking()).isTrue();
    assertThat(slow.isSlow(slow.now())).as("what begins after the pause").isFalse();
    assertThat(slow.isSlow(began)).as("what has begun before it").isTrue();
  }

  /** A tick wakes a thread: a message now and then must not keep a node awake. */
  @Test
  void shouldStopAsSoonAsNobodyCanBeSlowAnyMore() {
    slow.wake();
    long began = slow.now();
    await("no more ticks", () -> !slow.isTicking());

    assertThat(slow.isSlow(began)).as("who has not ended yet").isTrue();
    assertThat(timer.getTaskCount()).as("ticks").isLessThanOrEqualTo(12);
  }

  /** A batch wakes once, and may be long. */
  @Test
  void shouldGoOnWhileHandlersOfABatchTakeTheirTime() {
    slow.wake();
    for (int i = 0; i < 4; i++) {
      long began = slow.now();
      await("half of what is too long", () -> slow.now() - began >= THRESHOLD_NS / 2);
      assertThat(slow.hasEndedSlow(began)).isFalse();
    }
    long last = slow.now();
    await("slow", () -> slow.isSlow(last) || !slow.isTicking());

    assertThat(slow.hasEndedSlow(last)).isTrue();
  }

  @Test
  void shouldBlameNobodyForATimerThatWasNotScheduled() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    slow.wake();
    Future<Boolean> held = timer.submit(() -> busy.await(30, TimeUnit.SECONDS));
    long began = slow.now();
    long startNs = System.nanoTime();
    await("a long time", () -> System.nanoTime() - startNs >= 5 * THRESHOLD_NS);
    Future<Boolean> once = timer.submit(() -> slow.isSlow(began)); // after the tick that is due
    busy.countDown();
    assertThat(held.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(once.get(30, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void shouldNameTheSlowestFirst() {
    slow.wake();
    long first = slow.now();
    await("slow", () -> slow.isSlow(first));
    slow.wake();
    long second = slow.now();
    await("slow too", () -> slow.isSlow(second));
    slow.add("Short", 2, second);
    slow.add("Long", 2, second);
    slow.add("Long", 2, first);
    assertThat(slow.snapshot())
        .extracting(SlowHandler::messageType)
        .containsExactly("Long", "Short");
    assertThat(slow.snapshot().getFirst().count()).isEqualTo(2);
  }
}
