package org.ringwire.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class HandlingPaceTest {

  private final HandlingPace pace = new HandlingPace();

  @Test
  void shouldGiveOneMessageToEachWorkerUntilTheyAreKnownToBeQuick() {
    assertThat(pace.messagesPerRun()).isOne();
  }

  @Test
  void shouldGiveManyOnceTheyAreQuick() {
    for (int batch = 0; batch < 20; batch++) {
      pace.took(100, 100 * 50);
    }
    assertThat(pace.messagesPerRun()).isBetween(3_000L, 4_000L);
  }

  @Test
  void shouldGiveOneAgainWhenTheyAreSlow() {
    pace.took(1, 1);
    for (int batch = 0; batch < 10; batch++) {
      pace.took(1, 5_000_000);
    }
    assertThat(pace.messagesPerRun()).isOne();
  }

  @Test
  void shouldForgetABatchThatLostItsCore() {
    for (int batch = 0; batch < 20; batch++) {
      pace.took(1_000, 1_000 * 50);
    }
    pace.took(1_000, 4_000_000);
    assertThat(pace.messagesPerRun()).isGreaterThan(300);
    for (int batch = 0; batch < 8; batch++) {
      pace.took(1_000, 1_000 * 50);
    }
    assertThat(pace.messagesPerRun()).isGreaterThan(3_000);
  }

  @Test
  void shouldBearEmptyBatches() {
    pace.took(0, 10);
    assertThat(pace.messagesPerRun()).isOne();
  }
}
