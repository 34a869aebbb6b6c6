package org.ringwire.transport.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class LoopTurnsTest {

  private static final long QUICK_NS = LoopTurns.MUCH / LoopTurns.BYTES_PER_NS;

  private final LoopTurns turns = new LoopTurns();

  private void look(int times, long tookNs) {
    for (int time = 0; time < times; time++) {
      assertThat(turns.isDue()).isFalse();
      turns.looked(LoopTurns.MUCH, tookNs);
    }
  }

  @Test
  void shouldHaveASeriesOnceEachLookTookLong() {
    look(LoopTurns.LOOKS, QUICK_NS + 1);
    for (int turn = 0; turn < LoopTurns.SERIES; turn++) {
      assertThat(turns.isDue()).isTrue();
      turns.taken();
    }
    assertThat(turns.isDue()).isFalse();
  }

  @Test
  void shouldHaveNoneIfOneLookWasQuick() {
    look(LoopTurns.LOOKS - 1, 100 * QUICK_NS);
    look(1, QUICK_NS);
    assertThat(turns.isDue()).isFalse();
  }

  @Test
  void shouldForgetLooksOnceTheyCounted() {
    look(1, QUICK_NS);
    look(2 * LoopTurns.LOOKS - 1, 2 * QUICK_NS);
    assertThat(turns.isDue()).isTrue();
  }
}
