package org.ringwire.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.RequestTimeoutException;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** Slots and ids; what several threads do to a request at once is with the tests under stress. */
@ExtendWith(NodeWatcher.class)
class PendingRequestsTest {

  private static final int SLOTS = 8;
  private static final Object CONNECTION = new Object();

  private static long open(PendingRequests table, @Nullable Thread waiter) {
    CompletableFuture<Object> future = waiter == null ? new CompletableFuture<>() : null;
    return table.open(CONNECTION, String.class, Long.MAX_VALUE, waiter, future);
  }

  private static PendingRequests newTable(long firstId) {
    return new PendingRequests(SLOTS, firstId, Runnable::run);
  }

  @Test
  void shouldTellAnOutcomeForTheFirstTimeWhenThereIsNoHeap() throws Exception {
    assertThat(JavaProgram.run(NoHeapEndProgram.class, "-Xmx32m", "-XX:+UseSerialGC"))
        .contains("thread: true")
        .contains("future: true");
  }

  /** A table may have a million slots, and the sweep comes by a hundred times a second. */
  @Test
  void shouldLookAtTheTableOnlyWhenADeadlineHasPassedAndNowAndThen() {
    PendingRequests table = newTable(1);
    long second = 1_000_000_000;
    CompletableFuture<Object> later = openUntil(table, 100 * second);
    assertThat(expire(table, 0)).as("the first time").isTrue();
    int looks = 0;
    for (long nowNs = 0; nowNs < 10 * second; nowNs += second / 100) {
      looks += expire(table, nowNs) ? 1 : 0;
    }
    assertThat(looks).isLessThanOrEqualTo(10);
    CompletableFuture<Object> soon = openUntil(table, 10 * second + second / 2);
    assertThat(expire(table, 10 * second)).isTrue();
    assertThat(expire(table, 10 * second + second / 4)).isFalse();
    CompletableFuture<Object> sooner = openUntil(table, 10 * second + second / 3);
    assertThat(expire(table, 10 * second + second / 3)).isTrue();
    assertThat(sooner).isCompletedExceptionally();
    assertThat(soon).isNotDone();
    assertThat(expire(table, 10 * second + second / 2)).isTrue();
    assertThat(soon).isCompletedExceptionally();
    assertThat(later).isNotDone();
    assertThat(expire(table, 100 * second)).isTrue();
    assertThat(later).isCompletedExceptionally();
  }

  private static CompletableFuture<Object> openUntil(PendingRequests table, long deadlineNs) {
    CompletableFuture<Object> future = new CompletableFuture<>();
    assertThat(table.open(CONNECTION, String.class, deadlineNs, null, future)).isPositive();
    return future;
  }

  /** Else its end might be counted first, and a request of somebody else be taken for none. */
  @Test
  void shouldCountARequestBeforeItMayBeEnded() {
    PendingRequests table = newTable(1);
    List<Integer> counts = new ArrayList<>();
    Crowd crowd = new Crowd();
    Respondent respondent =
        () -> { // asked by a request that is not in the table yet
          counts.add(table.outstanding());
          return crowd;
        };
    CompletableFuture<Object> future = new CompletableFuture<>();
    long id = table.open(respondent, String.class, Long.MAX_VALUE, null, future);
    assertThat(counts).containsExactly(1);
    assertThat(table.end(id, "one", null)).isTrue();
    assertThat(table.outstanding()).isZero();
  }

  /** Who sends it knows that it was not sent, but may never come to say so. */
  @Test
  void shouldLeaveWhatWasNotSentInTimeToItsSenderForAWhile() {
    PendingRequests table = newTable(1);
    CompletableFuture<Object> sent = new CompletableFuture<>();
    CompletableFuture<Object> unsent = new CompletableFuture<>();
    long second = 1_000_000_000;
    long sentId = openUnsent(table, 10 * second, sent);
    openUnsent(table, 10 * second, unsent);
    table.accepted(sentId);
    assertThat(expire(table, 10 * second)).isTrue();
    assertThat(sent).isCompletedExceptionally();
    assertThat(unsent).isNotDone();
    assertThat(expire(table, 10 * second + second / 100)).as("may be accepted yet").isTrue();
    assertThat(unsent).isNotDone();
    assertThat(expire(table, 11 * second)).isTrue();
    assertThat(unsent)
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            RequestTimeoutException.class, timeout -> assertThat(timeout.mayBeHandled()).isTrue());
  }

  @Test
  void shouldEndWhatIsAcceptedAfterItsDeadline() {
    PendingRequests table = newTable(1);
    CompletableFuture<Object> late = new CompletableFuture<>();
    long id = openUnsent(table, 10, late);
    assertThat(expire(table, 20)).isTrue();
    table.accepted(id);
    assertThat(expire(table, 30)).isTrue();
    assertThat(late).isCompletedExceptionally();
  }

  /** The sender of a request that was answered at once says so of the next one in the slot. */
  @Test
  void shouldNotMarkTheNextRequestOfASlot() {
    PendingRequests table = newTable(1);
    long first = openUnsent(table, 10, new CompletableFuture<>());
    table.end(first, "one", null);
    CompletableFuture<Object> next = new CompletableFuture<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      openUnsent(table, 10, next);
    }
    table.accepted(first);
    assertThat(expire(table, 20)).isTrue();
    assertThat(next).isNotDone();
  }

  private static long openUnsent(
      PendingRequests table, long deadlineNs, CompletableFuture<Object> future) {
    return table.open(CONNECTION, Object.class, String.class, null, deadlineNs, null, future);
  }

  private static boolean expire(PendingRequests table, long nowNs) {
    return table.expire(nowNs, connection -> 2, connection -> {});
  }

  @Test
  void shouldFindARequestOfAConnectionAsLongAsOneWaits() {
    PendingRequests table = newTable(1);
    Object other = new Object();
    assertThat(table.findOf(CONNECTION, 0)).isZero();
    table.open(other, String.class, Long.MAX_VALUE, null, new CompletableFuture<>());
    assertThat(table.findOf(CONNECTION, 0)).isZero();
    long first = open(table, null);
    long second = open(table, null);
    assertThat(table.findOf(CONNECTION, 0)).isEqualTo(first);
    assertThat(table.findOf(CONNECTION, second)).as("it still waits").isEqualTo(second);
    table.end(second, "two", null);
    assertThat(table.findOf(CONNECTION, second)).isEqualTo(first);
    table.end(first, "one", null);
    assertThat(table.findOf(CONNECTION, first)).isZero();
    assertThat(table.findOf(other, first)).isPositive();
  }

  @Test
  void shouldGiveAThreadThatWaitsTheSameSlotAgainWithAnotherId() {
    PendingRequests table = newTable(1);
    long first = open(table, Thread.currentThread());
    table.end(first, "one", null);
    table.free(first);
    long second = open(table, Thread.currentThread());
    assertThat(second).isGreaterThan(first);
    assertThat(table.slot(second)).isSameAs(table.slot(first));
    assertThat(table.end(first, "late", null)).isFalse();
    assertThat(table.find(first)).isNull();
    assertThat(table.slot(second).getAsBoolean()).isFalse();
  }

  @Test
  void shouldTakeAnotherSlotWhileTheOneOfTheThreadIsInUse() {
    PendingRequests table = newTable(1);
    Set<PendingRequest> slots = new HashSet<>();
    for (int count = 0; count < SLOTS; count++) {
      slots.add(table.slot(open(table, Thread.currentThread())));
    }
    assertThat(slots).hasSize(SLOTS);
    assertThat(table.outstanding()).isEqualTo(SLOTS);
    assertThat(open(table, Thread.currentThread())).as("the table is full").isZero();
    assertThat(open(table, null)).as("the table is full").isZero();
    assertThat(table.endAll(CONNECTION, IllegalStateException::new)).isEqualTo(SLOTS);
  }

  @Test
  void shouldEndAllFuturesThoughThereIsNoThreadToCompleteThem() {
    PendingRequests table =
        new PendingRequests(
            SLOTS,
            1,
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    List<CompletableFuture<Object>> futures = new ArrayList<>();
    for (int count = 0; count < SLOTS; count++) {
      CompletableFuture<Object> future = new CompletableFuture<>();
      futures.add(future);
      table.open(CONNECTION, String.class, Long.MAX_VALUE, null, future);
    }
    assertThat(table.endAll(CONNECTION, IllegalStateException::new)).isEqualTo(SLOTS);
    assertThat(futures).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(table.outstanding()).isZero();
  }

  /** As a thread does whose stack ends behind the right to end a request. */
  private static PendingRequest loseOutcome(PendingRequests table, long id) {
    PendingRequest slot = table.slot(id);
    assertThat(slot.tryEnd(id)).isTrue();
    return slot;
  }

  @Test
  void shouldEndTheFutureWhoseOutcomeNobodyTells() {
    PendingRequests table = newTable(1);
    CompletableFuture<Object> future = new CompletableFuture<>();
    long id = table.open(CONNECTION, String.class, Long.MAX_VALUE, null, future);
    PendingRequest slot = loseOutcome(table, id);
    int sweeps = 0;
    while (!future.isDone() && sweeps < 1000) {
      boolean _ = expire(table, 0);
      sweeps++;
    }
    assertThat(sweeps).as("who only lost its core has time to go on").isBetween(100, 999);
    assertThat(future).isCompletedExceptionally();
    assertThat(table.outstanding()).isZero();
    assertThat(slot.tryRelease(id)).as("by a winner that was only slow").isFalse();
    assertServesAll(table, id);
  }

  @Test
  void shouldLeaveASlotToWhoHasTheOutcomeAndDoesNotTell() {
    PendingRequests table = newTable(1);
    long id = open(table, Thread.currentThread());
    PendingRequest slot = loseOutcome(table, id);
    assertThat(slot.awaitOutcome()).isFalse();
    table.giveUp(id);
    assertThat(table.outstanding()).isZero();
    long next = open(table, Thread.currentThread());
    slot.finish("by a winner that was only slow", null);
    assertThat(table.slot(next).getAsBoolean()).isFalse();
    assertThat(table.end(next, "response", null)).isTrue();
    table.free(next);
    assertServesAll(table, next);
  }

  /** All slots can be used, and no id comes again. */
  private static void assertServesAll(PendingRequests table, long before) {
    Set<Long> ids = new HashSet<>();
    for (int count = 0; count < SLOTS; count++) {
      long id = open(table, null);
      assertThat(id).isPositive().isNotEqualTo(before);
      assertThat(ids.add(id)).isTrue();
    }
    assertThat(table.endAll(CONNECTION, IllegalStateException::new)).isEqualTo(SLOTS);
    assertThat(table.outstanding()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 5, Long.MAX_VALUE - 11, Long.MAX_VALUE - SLOTS, Long.MAX_VALUE})
  void shouldNeverGiveTheSameIdTwice(long firstId) {
    PendingRequests table = newTable(firstId);
    Set<Long> ids = new HashSet<>();
    for (int count = 0; count < 5 * SLOTS; count++) {
      boolean waits = count % 3 != 0;
      long id = open(table, waits ? Thread.currentThread() : null);
      assertThat(id).isPositive();
      assertThat(ids.add(id)).as("id %s is new", id).isTrue();
      assertThat(table.find(id)).isNotNull();
      assertThat(table.end(id, "response", null)).isTrue();
      if (waits) {
        table.free(id);
      }
      assertThat(table.outstanding()).isZero();
    }
  }
}
