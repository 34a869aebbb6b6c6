package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.ring.RingLayout.CURSOR;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/**
 * Every order in which two producers and a consumer can take their steps, on the real ring, around
 * the end of the memory, aborted frames and restarts. The second half puts the ring into the middle
 * of a step, as another thread would see it.
 */
@ExtendWith(NodeWatcher.class)
class OutboundRingInterleavingTest {

  private static final long WINDOW = 40;

  /** What producers and the consumer do. */
  private enum Step {
    CLAIM,
    COMMIT,
    ABORT,
    TAKE,
    TAKE_PART,
    COMPLETE,
    RESTART,
    RESTART_AHEAD
  }

  /** One order of steps, from the beginning. */
  private static final class World {
    final RingFixture fixture;
    final OutboundRing ring;

    /** Words of committed frames by position. */
    final Map<Long, Long> committed = new TreeMap<>();

    final long[] open = new long[2];
    private long baseCharged;
    private int restartsAhead;

    World(int capacity, int used) {
      fixture = new RingFixture(capacity);
      ring = fixture.ring;
      for (int bytes = 0; bytes < used; bytes += 8) {
        ring.commit(ring.tryClaimUncharged(8), RingFixture.response(8));
      }
      fixture.drain();
      fixture.arrived.clear();
      baseCharged = fixture.arrivedCharged;
    }

    void take(Step step, int producer) {
      switch (step) {
        case CLAIM -> claim(producer);
        case COMMIT -> commit(producer);
        case ABORT -> abort(producer);
        case TAKE -> fixture.take(64, 64);
        case TAKE_PART -> fixture.take(64, 12);
        case COMPLETE -> fixture.complete(fixture.inFlight());
        case RESTART -> ring.consumer().restart();
        case RESTART_AHEAD -> restartsAhead += ring.consumer().restartAhead() ? 1 : 0;
      }
    }

    void claim(int producer) {
      open[producer] = ring.tryClaim(16, fixture.arrivedCharged - baseCharged + WINDOW);
    }

    void commit(int producer) {
      if (open[producer] >= 0) {
        long word = open[producer] + 1;
        fixture.encode(open[producer], 16, word);
        ring.commit(open[producer], RingFixture.message(16));
        committed.put(open[producer], word);
      }
    }

    void abort(int producer) {
      if (open[producer] >= 0) {
        fixture.encode(open[producer], 16, -1);
        ring.abort(open[producer], 16);
      }
    }

    void finish() {
      fixture.complete(fixture.inFlight());
      fixture.drain();
      assertThat(fixture.arrived).isEqualTo(List.copyOf(committed.values()));
      assertThat(ring.isEmpty()).isTrue();
      assertThat(fixture.isUnmarked()).isTrue();
      assertThat(ring.tryClaim(16, fixture.arrivedCharged - baseCharged + 15)).isNegative();
      assertThat(ring.tryClaim(16, fixture.arrivedCharged - baseCharged + 16)).isNotNegative();
    }
  }

  private static final List<Step> TWO_FRAMES =
      List.of(Step.CLAIM, Step.COMMIT, Step.CLAIM, Step.COMMIT);
  private static final List<Step> ONE_FRAME = List.of(Step.CLAIM, Step.COMMIT);

  @Test
  void shouldKeepOrderInEveryInterleavingAroundTheEndOfTheMemory() {
    assertThat(
            restartsAheadInEveryOrder(
                64,
                TWO_FRAMES,
                ONE_FRAME,
                List.of(Step.TAKE, Step.COMPLETE, Step.TAKE_PART, Step.COMPLETE)))
        .isZero();
  }

  @Test
  void shouldKeepOrderInEveryInterleavingWithAbortedFrames() {
    assertThat(
            restartsAheadInEveryOrder(
                64,
                List.of(Step.CLAIM, Step.ABORT, Step.CLAIM, Step.COMMIT),
                ONE_FRAME,
                List.of(Step.TAKE_PART, Step.TAKE, Step.COMPLETE, Step.TAKE)))
        .isZero();
  }

  @Test
  void shouldKeepOrderInEveryInterleavingWithRestarts() {
    assertThat(
            restartsAheadInEveryOrder(
                64,
                TWO_FRAMES,
                List.of(Step.CLAIM, Step.ABORT),
                List.of(Step.RESTART, Step.TAKE, Step.COMPLETE, Step.RESTART)))
        .isZero();
  }

  @Test
  void shouldKeepOrderInEveryInterleavingWithRestartsAheadOfCompletions() {
    assertThat(
            restartsAheadInEveryOrder(
                128,
                TWO_FRAMES,
                ONE_FRAME,
                List.of(Step.TAKE, Step.RESTART_AHEAD, Step.COMPLETE, Step.TAKE)))
        .isPositive();
  }

  /** Wherever the tail is at first; every order must end well. */
  private static int restartsAheadInEveryOrder(
      int capacity, List<Step> first, List<Step> second, List<Step> consumer) {
    int restarts = 0;
    for (int used = 0; used <= capacity; used += 8) {
      restarts += assertEveryOrder(capacity, used, first, second, consumer);
    }
    return restarts;
  }

  /** Returns how often the ring has restarted ahead of completions, in all orders together. */
  private static int assertEveryOrder(
      int capacity, int used, List<Step> first, List<Step> second, List<Step> consumer) {
    List<List<Step>> actors = List.of(first, second, consumer);
    int[] restarts = new int[1];
    forEveryOrder(
        actors,
        new int[actors.size()],
        new ArrayList<>(),
        order -> {
          World world = new World(capacity, used);
          int[] next = new int[actors.size()];
          for (int actor : order) {
            world.take(actors.get(actor).get(next[actor]++), actor);
          }
          try {
            world.finish();
          } catch (AssertionError e) {
            throw new AssertionError("used=" + used + ", order=" + order, e);
          }
          restarts[0] += world.restartsAhead;
        });
    return restarts[0];
  }

  private static void forEveryOrder(
      List<List<Step>> actors, int[] next, List<Integer> order, Consumer<List<Integer>> body) {
    boolean ended = true;
    for (int actor = 0; actor < next.length; actor++) {
      if (next[actor] < actors.get(actor).size()) {
        ended = false;
        next[actor]++;
        order.add(actor);
        forEveryOrder(actors, next, order, body);
        order.removeLast();
        next[actor]--;
      }
    }
    if (ended) {
      body.accept(order);
    }
  }

  // In the middle of a step.

  private final long[] cursors = RingFixture.newCursors();
  private final OutboundRing ring = new OutboundRing(MemorySegment.ofArray(new long[8]), cursors);

  private void put(int cursor, long value) {
    CURSOR.setVolatile(cursors, cursor, value);
  }

  /**
   * Starts a call that must wait for somebody's second half, runs that half, returns the answer.
   */
  private static long answerAfter(Supplier<Long> call, Runnable secondHalf) throws Exception {
    CompletableFuture<Long> answer = new CompletableFuture<>();
    Thread thread = Thread.ofPlatform().start(() -> answer.complete(call.get()));
    while (thread.getState() == Thread.State.NEW) {
      RingFixture.giveWay();
    }
    for (int rounds = 0; rounds < 1000 && !answer.isDone(); rounds++) {
      RingFixture.giveWay(); // not needed to pass: gives a wrong answer time to appear
    }
    secondHalf.run();
    return answer.get(30, TimeUnit.SECONDS);
  }

  @Test
  void shouldNotReportLackOfCreditWhileAnExemptClaimIsHalfDone() throws Exception {
    put(RingLayout.SETTLING, 1);
    put(RingLayout.TAIL, 16);

    long position =
        answerAfter(
            () -> ring.tryClaim(16, 16),
            () -> {
              put(RingLayout.UNCHARGED, 16);
              put(RingLayout.SETTLING, 0);
            });

    assertThat(position).isEqualTo(16);
  }

  @Test
  void shouldNotReportLackOfRoomWhileARestartIsHalfDone() throws Exception {
    put(RingLayout.TAIL, 16);
    put(RingLayout.SENT, 16);
    put(RingLayout.RELEASED, 16);
    put(RingLayout.RESTARTING, 1);
    put(RingLayout.TAIL, 64);
    assertThat(ring.tryClaimUncharged(16)).isEqualTo(64); // up to RELEASED + capacity

    long position =
        answerAfter(
            () -> ring.tryClaimUncharged(16),
            () -> {
              put(RingLayout.RELEASED, 64);
              put(RingLayout.RESTARTING, 0);
            });

    assertThat(position).isEqualTo(80);
  }

  @Test
  void shouldNotExceedTheLimitWhenAChargeIsHalfDone() {
    put(RingLayout.SETTLING, 1);
    put(RingLayout.UNCHARGED, -32);

    // A claim that read UNCHARGED before would now fail to move the tail; one that comes now sees
    // it.
    assertThat(ring.tryClaimUncharged(16)).isZero();
    put(RingLayout.SETTLING, 0);
    assertThat(ring.tryClaim(16, 47)).isEqualTo(OutboundRing.NO_CREDIT);
    assertThat(ring.tryClaim(16, 48)).isEqualTo(16);
  }

  @Test
  void shouldReleaseASkipThatAppearsWhileTheBytesBeforeItAreCompleted() {
    RingFixture fixture = new RingFixture(64);
    fixture.send(16, 1);
    fixture.ring.abort(fixture.ring.tryClaim(16, 100), 16);
    fixture.take(64, 64);

    // The completer looks for skips, then the consumer adds one, then the completer stores
    // RELEASED.
    CURSOR.setVolatile(fixture.cursors, RingLayout.RELEASED, 16L);
    fixture.ring.marks().clear(0, 16);
    fixture.ring.consumer().scan(64);

    assertThat((long) CURSOR.getVolatile(fixture.cursors, RingLayout.RELEASED)).isEqualTo(32);
    assertThat(fixture.isUnmarked()).isTrue();
  }
}
