package org.ringwire.engine.outbound.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.WaitInterruptedException;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.StackEnd;

/** Who waits for room is woken when there is some, and few are woken for nothing. */
@ExtendWith(NodeWatcher.class)
class SpaceWaitersTest {

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private SpaceWaiters waiters = new SpaceWaiters(PATIENCE_NS); // nobody is taken for late
  private final AtomicLong room = new AtomicLong();
  private final AtomicInteger attempts = new AtomicInteger();
  private final BlockingQueue<Long> taken = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void end() throws Exception {
    for (Thread thread : threads) {
      thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
      assertThat(thread.isAlive()).isFalse();
    }
  }

  private boolean tryTake(long need) {
    attempts.incrementAndGet();
    long there = room.get();
    while (there >= need) {
      if (room.compareAndSet(there, there - need)) {
        taken.add(need); // before the next one is woken
        return true;
      }
      there = room.get();
    }
    return false;
  }

  /** As a sender does; whether it got the room. */
  private boolean take(long need, boolean forWantOfRoom, long timeoutNs) {
    long deadlineNs = System.nanoTime() + timeoutNs;
    SpaceWaiters.Wait wait = waiters.enter();
    try {
      while (true) {
        waiters.attempt(wait);
        if (tryTake(need)) {
          return true;
        }
        if (forWantOfRoom) {
          wait.lacks(need);
        }
        if (!waiters.await(wait, deadlineNs)) {
          return false;
        }
      }
    } finally {
      waiters.leave(wait);
    }
  }

  private void make(long bytes) {
    room.addAndGet(bytes);
    waiters.signal();
  }

  private Thread start(Runnable task) {
    Thread thread = Thread.ofPlatform().daemon().start(task);
    threads.add(thread);
    return thread;
  }

  /** One that has parked when this returns. */
  private Thread startTaker(long need, boolean forWantOfRoom) {
    Thread thread = start(() -> assertThat(take(need, forWantOfRoom, PATIENCE_NS)).isTrue());
    awaitParked(thread);
    return thread;
  }

  private void awaitParked(Thread thread) {
    Awaiting.await("parked", () -> LockSupport.getBlocker(thread) == waiters);
  }

  private long nextTaken() throws InterruptedException {
    Long need = taken.poll(PATIENCE_NS, TimeUnit.NANOSECONDS);
    assertThat(need).isNotNull();
    return need;
  }

  @Test
  void shouldWakeOneForRoomForOne() throws Exception {
    for (int i = 0; i < 10; i++) {
      startTaker(100, true);
    }
    assertThat(attempts).hasValue(10);
    make(100);
    assertThat(nextTaken()).isEqualTo(100);
    threads.getFirst().join(); // the second was woken when the first left
    Awaiting.await("all attempts", () -> attempts.get() == 12);
    awaitParked(threads.get(1));
    make(50);
    make(1_000);
    for (int i = 1; i < 10; i++) {
      assertThat(nextTaken()).isEqualTo(100);
    }
    assertThat(attempts.get()).as("10, and one or two for each").isLessThanOrEqualTo(32);
  }

  /** Others may take what room they make, and make some in each of its attempts. */
  @Test
  void shouldGiveUpInTimeThoughRoomIsMadeInEachAttempt() {
    SpaceWaiters.Wait wait = waiters.enter();
    waiters.attempt(wait);
    waiters.signal();
    assertThat(waiters.await(wait, System.nanoTime())).isFalse();
    waiters.leave(wait);
  }

  @Test
  void shouldHearOfAnInterruptThoughRoomIsMadeInEachAttempt() {
    SpaceWaiters.Wait wait = waiters.enter();
    waiters.attempt(wait);
    waiters.signal();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> waiters.await(wait, System.nanoTime() + PATIENCE_NS))
        .isInstanceOf(WaitInterruptedException.class);
    assertThat(Thread.interrupted()).as("the caller's").isTrue();
    waiters.leave(wait);
  }

  /** Else nobody could send there any more, nor would its connection come to its end. */
  @Test
  void shouldLeaveItsLockWhereAStackEnds() throws Exception {
    waiters.leave(waiters.enter());
    SpaceWaiters.Wait wait = waiters.enter(); // so that there is somebody to look for
    StackEnd.runAt(waiters::signal);
    CompletableFuture<Void> left = CompletableFuture.runAsync(() -> waiters.leave(wait));
    Awaiting.await("it has left", left::isDone);
    left.join();
  }

  @Test
  void shouldServeTheLongestWaitFirst() throws Exception {
    for (int i = 1; i <= 5; i++) {
      startTaker(100 + i, true);
    }
    make(1_000);
    for (int i = 1; i <= 5; i++) {
      assertThat(nextTaken()).isEqualTo(100 + i);
    }
  }

  @Test
  void shouldWakeWhoNeedsLessThanOneThatFoundTooLittle() throws Exception {
    startTaker(100, true);
    startTaker(100, true);
    startTaker(10, true);
    make(50);
    assertThat(nextTaken()).isEqualTo(10);
    make(160);
    assertThat(nextTaken()).isEqualTo(100);
    assertThat(nextTaken()).isEqualTo(100);
  }

  @Test
  void shouldWakeTheNextIfTheFirstLacksSomethingElse() throws Exception {
    startTaker(100, false);
    startTaker(50, true);
    make(50);
    assertThat(nextTaken()).isEqualTo(50);
    make(100);
    assertThat(nextTaken()).isEqualTo(100);
  }

  @Test
  void shouldWakeTheNextIfTheFirstGivesUp() throws Exception {
    Thread first = startTakerThatIsInterrupted();
    startTaker(100, true);
    first.interrupt();
    make(100);
    assertThat(nextTaken()).isEqualTo(100);
  }

  @Test
  void shouldWakeTheNextIfTheFirstLeavesWithoutTrying() throws Exception {
    SpaceWaiters.Wait first = waiters.enter();
    waiters.attempt(first);
    first.lacks(100);
    assertThat(waiters.await(first, System.nanoTime())).as("after the deadline").isFalse();
    startTaker(100, true);
    make(100);
    assertThat(attempts).as("the first is the one that is woken").hasValue(1);
    waiters.leave(first);
    assertThat(nextTaken()).isEqualTo(100);
  }

  /** As a virtual thread for which there is no carrier. */
  @Test
  void shouldNotWaitForOneThatIsWokenAndDoesNotRun() throws Exception {
    waiters = new SpaceWaiters();
    SpaceWaiters.Wait first = waiters.enter();
    waiters.attempt(first);
    first.lacks(100);
    assertThat(waiters.await(first, System.nanoTime())).as("after the deadline").isFalse();
    startTaker(100, true);
    startTaker(100, true);
    make(200);
    assertThat(nextTaken()).isEqualTo(100);
    assertThat(nextTaken()).isEqualTo(100);
    make(100);
    waiters.attempt(first); // runs at last
    assertThat(tryTake(100)).isTrue();
    startTaker(10, true);
    waiters.leave(first);
    make(10);
    assertThat(nextTaken()).isEqualTo(100);
    assertThat(nextTaken()).isEqualTo(10);
  }

  private Thread startTakerThatIsInterrupted() {
    Thread thread =
        start(() ->
            assertThatThrownBy(() -> take(1_000, true, PATIENCE_NS))
                .isInstanceOf(WaitInterruptedException.class));
    awaitParked(thread);
    return thread;
  }

  @Test
  void shouldTryAgainIfRoomWasMadeWhileItTried() {
    SpaceWaiters.Wait wait = waiters.enter();
    waiters.attempt(wait);
    assertThat(tryTake(10)).isFalse();
    make(10);
    wait.lacks(10);
    assertThat(waiters.await(wait, System.nanoTime() + PATIENCE_NS)).isTrue();
    waiters.leave(wait);
  }

  @Test
  void shouldGiveUpAtItsDeadline() {
    assertThat(take(1, true, TimeUnit.MILLISECONDS.toNanos(20))).isFalse();
    assertThat(waiters.stalls().stalls()).isEqualTo(1);
    assertThat(waiters.stalls().waiting()).isZero();
  }

  /** What is taken is made again, so that all need the same room in turn; nobody may be left. */
  @Test
  void shouldLeaveNobodyWaiting() throws Exception {
    long most = 200;
    long seed = System.nanoTime();
    AtomicInteger late = new AtomicInteger();
    for (int i = 0; i < 12; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      boolean forWantOfRoom = i % 3 != 0;
      start(() -> {
        for (int round = 0; round < 3_000 && late.get() == 0; round++) {
          long need = random.nextLong(1, most + 1);
          if (take(need, forWantOfRoom, PATIENCE_NS / 4)) {
            make(need);
          } else {
            late.incrementAndGet();
          }
        }
      });
    }
    make(most);
    end();
    assertThat(late).as("seed=" + seed).hasValue(0);
    assertThat(waiters.stalls().waiting()).isZero();
  }

  @Test
  void shouldTellTheOthersThoughThereIsNoHeapToTellOne() {
    AtomicInteger told = new AtomicInteger();
    AtomicInteger room = new AtomicInteger();
    AtomicBoolean hasHeap = new AtomicBoolean();
    for (int index = 0; index < 3; index++) {
      boolean starves = index == 0;
      SpaceWaiters.Notice notice =
          new SpaceWaiters.Notice(
              () -> room.get() > 0,
              () -> {
                if (starves && !hasHeap.get()) {
                  throw new OutOfMemoryError("as if there was no heap");
                }
                told.incrementAndGet();
              });
      assertThat(waiters.tryNotify(notice)).isTrue();
    }
    room.set(1);
    assertThatThrownBy(waiters::signal).isInstanceOf(OutOfMemoryError.class);
    assertThat(told).hasValue(2);
    hasHeap.set(true);
    waiters.signal();
    assertThat(told).as("with the one that could not be told").hasValue(3);
    assertThat(waiters.hasNotices()).isFalse();
  }

  /** A peer may not read for hours, and who asks now and then cancels what he has asked before. */
  @Test
  void shouldKeepFewOfThoseWhomNobodyWantsToBeTold() {
    AtomicInteger told = new AtomicInteger();
    AtomicBoolean room = new AtomicBoolean();
    int wanted = 100;
    for (int index = 0; index < wanted; index++) {
      assertThat(waiters.tryNotify(new SpaceWaiters.Notice(room::get, told::incrementAndGet)))
          .isTrue();
    }
    AtomicInteger forgotten = new AtomicInteger();
    for (int index = 0; index < 10_000; index++) {
      AtomicBoolean cancelled = new AtomicBoolean();
      SpaceWaiters.Notice notice =
          new SpaceWaiters.Notice(cancelled::get, forgotten::incrementAndGet);
      assertThat(waiters.tryNotify(notice)).isTrue();
      cancelled.set(true);
      assertThat(index + 1 - forgotten.get()).as("kept").isLessThanOrEqualTo(2 * wanted);
    }
    assertThat(told).hasValue(0);
    room.set(true);
    waiters.signal();
    assertThat(told).hasValue(wanted);
    assertThat(waiters.hasNotices()).isFalse();
  }

  @Test
  void shouldTellThoseWhoWereFoundThoughThereIsNoHeapToAskTheNext() {
    AtomicInteger told = new AtomicInteger();
    AtomicInteger room = new AtomicInteger();
    AtomicBoolean hasHeap = new AtomicBoolean();
    for (int index = 0; index < 3; index++) {
      boolean starves = index == 1;
      SpaceWaiters.Notice notice =
          new SpaceWaiters.Notice(
              () -> {
                if (starves && room.get() > 0 && !hasHeap.get()) {
                  throw new OutOfMemoryError("as if there was no heap");
                }
                return room.get() > 0;
              },
              told::incrementAndGet);
      assertThat(waiters.tryNotify(notice)).isTrue();
    }
    room.set(1);
    assertThatThrownBy(waiters::signal).isInstanceOf(OutOfMemoryError.class);
    assertThat(told).hasValue(1);
    hasHeap.set(true);
    waiters.signal();
    assertThat(told).hasValue(3);
    assertThat(waiters.hasNotices()).isFalse();
  }
}
