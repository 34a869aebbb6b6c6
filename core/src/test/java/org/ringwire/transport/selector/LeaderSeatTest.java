package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class LeaderSeatTest {

  @Test
  void shouldRoundTimesUpAndWaitLongForThoseThatNeverEnd() {
    assertThat(LeaderSeat.timeoutMs(1)).isOne();
    assertThat(LeaderSeat.timeoutMs(1_000_000)).isOne();
    assertThat(LeaderSeat.timeoutMs(1_000_001)).isEqualTo(2);
    assertThat(LeaderSeat.timeoutMs(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }
}
