package org.ringwire.transport.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.transport.support.TurnPace.FIRST;
import static org.ringwire.transport.support.TurnPace.LEAST;
import static org.ringwire.transport.support.TurnPace.MOST;
import static org.ringwire.transport.support.TurnPace.TURN_NS;
import static org.ringwire.transport.support.TurnPace.UNTIMED;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class TurnPaceTest {

  private static final long QUICK_NS = TURN_NS / 100;

  private final TurnPace pace = new TurnPace();
  private long nowNs = Long.MAX_VALUE - TURN_NS; // the clock may pass its end

  @Test
  void shouldGiveMoreToWhoIsQuick() {
    pace.begin(nowNs);
    assertThat(pace.amount()).isEqualTo(FIRST);
    for (int amount = FIRST; amount < MOST; amount *= 2) {
      assertThat(pace.amount()).isEqualTo(amount);
      assertThat(handled(amount, QUICK_NS)).isTrue();
    }
    assertThat(handled(MOST, QUICK_NS)).isTrue();
    assertThat(pace.amount()).isEqualTo(MOST);
  }

  @Test
  void shouldGiveAsMuchAsTakesATurnToWhoIsSlow() {
    pace.begin(nowNs);
    assertThat(handled(FIRST, 8 * TURN_NS)).isFalse();
    assertThat(pace.amount()).isEqualTo(FIRST / 8);
    pace.begin(nowNs);
    assertThat(handled(FIRST / 8, 1000 * TURN_NS)).isFalse();
    assertThat(pace.amount()).isEqualTo(LEAST);
  }

  @Test
  void shouldEndATurnOfManyPiecesInTime() {
    pace.begin(nowNs);
    assertThat(handled(FIRST, TURN_NS / 2)).isTrue();
    assertThat(pace.amount()).as("quick enough").isEqualTo(FIRST);
    assertThat(handled(FIRST, TURN_NS / 2)).isFalse();
    assertThat(pace.amount()).isEqualTo(FIRST);
    pace.begin(nowNs);
    assertThat(handled(FIRST, TURN_NS / 2)).isTrue();
  }

  @Test
  void shouldNotTakeItForQuickThatLittleCame() {
    pace.begin(nowNs);
    assertThat(handled(FIRST - 1, QUICK_NS)).isTrue();
    assertThat(pace.amount()).isEqualTo(FIRST);
  }

  @Test
  void shouldNeverGiveMoreToWhoIsSlow() {
    pace.begin(nowNs);
    assertThat(handled(10 * FIRST, 2 * TURN_NS)).isFalse();
    assertThat(pace.amount()).isEqualTo(FIRST);
  }

  @Test
  void shouldLearnNothingFromWhatIsNotHandled() {
    pace.begin(nowNs);
    nowNs += TURN_NS / 2;
    assertThat(pace.goesOn(nowNs)).isTrue();
    nowNs += TURN_NS / 2;
    assertThat(pace.goesOn(nowNs)).isFalse();
    assertThat(pace.amount()).isEqualTo(FIRST);
  }

  @Test
  void shouldNotLookAtTheClockForALittleThatIsAll() {
    assertThat(pace.isTimed(UNTIMED)).isFalse();
    assertThat(pace.isTimed(UNTIMED + 1)).isTrue();
    pace.begin(nowNs);
    assertThat(handled(FIRST, 16 * TURN_NS)).isFalse();
    assertThat(pace.isTimed(FIRST / 16 - 1)).isFalse();
    assertThat(pace.isTimed(FIRST / 16)).as("there may be more").isTrue();
  }

  private boolean handled(long bytes, long tookNs) {
    nowNs += tookNs;
    return pace.handled(bytes, nowNs);
  }
}
