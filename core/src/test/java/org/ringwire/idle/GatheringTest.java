package org.ringwire.idle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class GatheringTest {

  private static final long NOW = 1L << 40;
  private static final long LATE = 4_000_000;

  private double cores = 2;
  private final Gathering gathering = new Gathering(new Load(() -> cores, NOW));
  private long nowNs = NOW;

  /** One wait after bulk with one pause, if that is due; returns whether it was. */
  private boolean gather(long tookNs, boolean found) {
    if (!gathering.isDue(nowNs)) {
      return false;
    }
    long beforeNs = nowNs;
    nowNs += tookNs;
    assertThat(gathering.paused(beforeNs, nowNs)).as("in time").isEqualTo(tookNs != LATE);
    gathering.ended(found);
    return true;
  }

  private int count(int waits, long tookNs, boolean found) {
    int made = 0;
    for (int i = 0; i < waits; i++) {
      made += gather(tookNs, found) ? 1 : 0;
    }
    return made;
  }

  @Test
  void shouldWaitAfterRoundsOfBulkOnly() {
    assertThat(gathering.isDue()).as("nothing").isFalse();

    gathering.brought(Gathering.BULK - 1);
    assertThat(gathering.isDue()).as("little").isFalse();
    gathering.brought(1);
    assertThat(gathering.isDue()).as("little in each of two rounds").isFalse();

    gathering.brought(Gathering.BULK / 2);
    gathering.brought(Gathering.BULK / 2);
    assertThat(gathering.isDue()).as("two links of one round").isTrue();
    assertThat(gathering.isDue()).as("twice for the same bytes").isFalse();
  }

  @Test
  void shouldNotTakeLongMessagesForNone() {
    gathering.brought(Long.MAX_VALUE / 2);

    assertThat(gathering.isDue()).isTrue();
  }

  @Test
  void shouldNotKeepTheOnlyCoreFromTheWriter() {
    cores = 1.5;

    assertThat(new Gathering(new Load(() -> cores, NOW)).isDue(NOW)).isFalse();
  }

  @Test
  void shouldWaitAsLongAsSomethingComes() {
    assertThat(count(10_000, Gathering.PAUSE_NS, true)).isEqualTo(10_000);
  }

  @Test
  void shouldWaitSeldomWhereNothingComesAndOftenAgainOnceItDoes() {
    assertThat(count(10_000, Gathering.PAUSE_NS, false)).isBetween(10, 100);

    for (int i = 0; !gather(Gathering.PAUSE_NS, true); i++) {
      assertThat(i).as("waits without a trial").isLessThan(256);
    }

    assertThat(count(1_000, Gathering.PAUSE_NS, true)).isEqualTo(1_000);
  }

  @Test
  void shouldLeaveTheCoreToOthersThatWantIt() {
    long endNs = nowNs + 10_000_000_000L;
    long lateNs = 0;
    while (nowNs < endNs) {
      lateNs += gather(LATE, true) ? LATE : 0;
      nowNs += 20_000; // a round of bulk
    }

    assertThat(lateNs).as("of ten seconds").isBetween(100_000_000L, 250_000_000L);
  }

  @Test
  void shouldPauseForItsTimeAndAFewTimesOnly() {
    int pauses = 0;
    boolean goesOn = true;
    while (goesOn) {
      long beforeNs = System.nanoTime();
      goesOn = gathering.pause(pauses++);
      assertThat(System.nanoTime() - beforeNs).isGreaterThanOrEqualTo(Gathering.PAUSE_NS);
    }

    assertThat(pauses).isBetween(1, Gathering.MOST); // fewer if the machine was busy
  }
}
