package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

/** When a thread that sends finds that others do so at the same time. */
@ExtendWith(NodeWatcher.class)
class ContentionTest {

  private static final int LENGTH = 61;

  private final Contention contention = new Contention();
  private long tail = 4096;

  @Test
  void shouldNotOfferTheCoreOfWhoSendsAlone() {
    for (int message = 0; message < 100; message++) {
      assertThat(contention.isDue(claim(), LENGTH)).isFalse();
    }
  }

  @Test
  void shouldOfferTheCoreIfOthersClaimBeforeEachMessage() {
    for (int turn = 0; turn < 3; turn++) {
      for (int message = 1; message <= Contention.MEETINGS; message++) {
        claim(); // another thread

        assertThat(contention.isDue(claim(), LENGTH)).isEqualTo(message == Contention.MEETINGS);
      }
    }
  }

  @Test
  void shouldNotOfferTheCoreIfOthersClaimNowAndThen() {
    contention.isDue(claim(), LENGTH);
    for (int message = 0; message < 10 * Contention.MEETINGS; message++) {
      if (message % Contention.MEETINGS != 0) {
        claim();
      }

      assertThat(contention.isDue(claim(), LENGTH)).isFalse();
    }
  }

  @Test
  void shouldNotTakeAnotherRingForOthers() {
    for (int message = 0; message < 10 * Contention.MEETINGS; message++) {
      tail += 1 << 20;
      contention.forget();

      assertThat(contention.isDue(claim(), LENGTH)).isFalse();
    }
  }

  private long claim() {
    long position = tail;
    tail += FrameLayout.occupied(LENGTH);
    return position;
  }
}
