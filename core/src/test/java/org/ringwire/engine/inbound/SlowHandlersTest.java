package org.ringwire.engine.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.NodeMetrics.SlowHandler;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.metrics.EngineCounters;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FailureReason;

/** The time that slow handlers are found with. */
@ExtendWith(NodeWatcher.class)
class SlowHandlersTest {

  private static final long THRESHOLD_NS = TimeUnit.MILLISECONDS.toNanos(40);

  record Event(long number) {}

  private static final class Starved implements Replies {

    @Override
    public int peerId() {
      throw new OutOfMemoryError("as if");
    }

    @Override
    public void reply(long correlation, Object response) {}

    @Override
    public void fail(long correlation, FailureReason reason, String text) {}

    @Override
    public void abandoned() {}
  }

  private volatile boolean withoutHeap;

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
          if (withoutHeap) {
            throw new OutOfMemoryError("as if");
          }
          return super.schedule(action, delay, unit);
        }
      };
  private final SlowHandlers slow = new SlowHandlers(1, timer, THRESHOLD_NS);

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  /** So many messages close together that a timer is worth it. */
  private void startTicking() {
    await(
        "ticks",
        () -> {
          for (int i = 0; i <= SlowHandlers.CLOCK_READS && !slow.isTicking(); i++) {
            long _ = slow.now();
          }
          return slow.isTicking();
        });
  }

  @Test
  void shouldFindWhatLastsWithoutATimerWhileMessagesAreFew() {
    slow.wake();
    long began = slow.now();
    long startNs = System.nanoTime();
    assertThat(slow.hasEndedSlow(slow.now())).isFalse();
    LockSupport.parkNanos(THRESHOLD_NS);
    while (!slow.isSlow(began)) {
      LockSupport.parkNanos(THRESHOLD_NS / 4);
    }

    assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(THRESHOLD_NS);
    assertThat(slow.hasEndedSlow(began)).isTrue();
    assertThat(timer.getTaskCount()).as("a tick wakes a thread").isZero();
  }

  /** As what its handler has done is worth more. */
  @Test
  void shouldDoWithoutOneThatThereIsNoHeapFor() {
    MessageCatalog catalog = new MessageCatalog();
    LinkType type =
        new LinkTypes(2, 1, 1, new GenerationBudget(catalog))
            .add(FrameEncoder.announcementOf(catalog.typeOf(Event.class)));
    Delivery delivery =
        new Delivery(new Starved(), new EngineCounters(), new ErrorLog(1), slow, 0, null);
    assertThatCode(() -> delivery.wasSlow(type, slow.now())).doesNotThrowAnyException();
    assertThat(slow.snapshot()).isEmpty();
  }

  /** Handlers of a busy node read the time; what they do is not to fail for want of a timer. */
  @Test
  void shouldReadTheClockWhileThereIsNoHeapForATimer() {
    startTicking();
    withoutHeap = true;
    await("no more ticks", () -> !slow.isTicking());
    long began = slow.now();
    for (int i = 0; i < 4 * SlowHandlers.CLOCK_READS; i++) {
      assertThat(slow.hasEndedSlow(slow.now())).isFalse();
    }
    assertThat(slow.isTicking()).isFalse();
    await("slow", () -> slow.hasEndedSlow(began));
    withoutHeap = false;
    startTicking();
  }

  @Test
  void shouldFindWhatLastsAndStopWhenNothingIsHandled() {
    startTicking();
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
    startTicking();
    assertThat(slow.isSlow(slow.now())).as("what begins after the pause").isFalse();
    assertThat(slow.isSlow(began)).as("what has begun before it").isTrue();
  }

  /** A tick wakes a thread: messages that have come must not keep a node awake. */
  @Test
  void shouldStopAsSoonAsNobodyCanBeSlowAnyMore() {
    startTicking();
    long began = slow.now();
    long beganTicks = timer.getTaskCount();
    await("no more ticks", () -> !slow.isTicking());

    assertThat(slow.isSlow(began)).as("who has not ended yet").isTrue();
    assertThat(timer.getTaskCount() - beganTicks).as("ticks").isLessThanOrEqualTo(12);
  }

  /** A batch wakes once, and may be long. */
  @Test
  void shouldGoOnWhileHandlersOfABatchTakeTheirTime() {
    long woken = slow.now(); // when somebody was awake last, or earlier
    startTicking();
    int inTime = 0;
    for (int round = 0; inTime < 4; round++) {
      assertThat(round).as("rounds, most of which took too long").isLessThan(1000);
      long began = slow.now();
      await("half of what is too long", () -> slow.now() - began >= THRESHOLD_NS / 2);
      long waking = slow.now();
      boolean ended = slow.hasEndedSlow(began);
      boolean ticking = slow.isTicking();
      if (slow.now() - woken < THRESHOLD_NS) {
        assertThat(ended).isFalse();
        assertThat(ticking).isTrue();
        inTime++;
      } else { // this thread did not run for a while: the ticks may have ended
        startTicking();
        inTime = 0;
      }
      woken = waking;
    }
    long last = woken;
    await("slow", () -> slow.isSlow(last) || !slow.isTicking());

    assertThat(slow.hasEndedSlow(last)).isTrue();
  }

  @Test
  void shouldBlameNobodyForATimerThatWasNotScheduled() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    startTicking();
    Future<Boolean> held = timer.submit(() -> busy.await(30, TimeUnit.SECONDS));
    long began = slow.now();
    long startNs = System.nanoTime();
    await("a long time", () -> System.nanoTime() - startNs >= 5 * THRESHOLD_NS);
    Future<Boolean> once = timer.submit(() -> slow.isSlow(began)); // after the tick that is due
    busy.countDown();
    assertThat(held.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(once.get(30, TimeUnit.SECONDS)).isFalse();

    await("no more ticks", () -> !slow.isTicking()); // the clock goes on where the time stopped
    long after = slow.now();
    assertThat(after - began).isBetween(0L, System.nanoTime() - startNs - 3 * THRESHOLD_NS);
  }

  /** Readers of many threads, while the timer starts and ends: never ahead of the time. */
  @Test
  void shouldNeverBeAheadOfTheTime() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong ahead = new AtomicLong();
    List<Thread> readers = new ArrayList<>();
    long stepNs = 2 * THRESHOLD_NS / 8; // one and a half ticks, and what rounding adds
    for (int i = 0; i < 3; i++) {
      readers.add(
          Thread.ofPlatform()
              .start(() -> {
                while (!done.get()) {
                  long realNs = System.nanoTime();
                  long began = slow.now();
                  for (int read = 0; read < 2_000; read++) {
                    long tookNs = slow.now() - began;
                    if (tookNs > System.nanoTime() - realNs + stepNs) {
                      ahead.incrementAndGet();
                    }
                  }
                  LockSupport.parkNanos(THRESHOLD_NS / 2); // so that the timer ends at times
                }
              }));
    }
    long startNs = System.nanoTime();
    await(
        "a while, with a timer that is late",
        () -> {
          Future<?> _ = timer.submit(() -> LockSupport.parkNanos(THRESHOLD_NS / 2));
          LockSupport.parkNanos(THRESHOLD_NS);
          return System.nanoTime() - startNs >= 50 * THRESHOLD_NS;
        });
    done.set(true);
    for (Thread reader : readers) {
      assertThat(reader.join(Duration.ofSeconds(30))).isTrue();
    }
    assertThat(ahead.get()).isZero();
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
