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
  private int otherClaims;
  private Object ring = new Object();

  @Test
  void shouldNotOfferTheCoreOfWhoSendsAlone() {
    for (int message = 0; message < 100; message++) {
      assertThat(isDueAfterMessage()).isFalse();
    }
  }

  @Test
  void shouldOfferTheCoreIfOthersClaimBeforeEachMessage() {
    assertThat(isDueAfterMessage()).as("the first one here").isFalse();
    for (int turn = 0; turn < 3; turn++) {
      for (int message = 1; message <= Contention.MEETINGS; message++) {
        claim(); // another thread

        assertThat(isDueAfterMessage()).isEqualTo(message == Contention.MEETINGS);
      }
    }
  }

  @Test
  void shouldNotOfferTheCoreIfOthersClaimNowAndThen() {
    isDueAfterMessage();
    for (int message = 0; message < 10 * Contention.MEETINGS; message++) {
      if (message % Contention.MEETINGS != 0) {
        claim();
      }

      assertThat(isDueAfterMessage()).isFalse();
    }
  }

  @Test
  void shouldNotTakeAnotherRingForOthers() {
    for (int message = 0; message < 10 * Contention.MEETINGS; message++) {
      tail += 1 << 20;
      ring = new Object();

      assertThat(isDueAfterMessage()).isFalse();
    }
  }

  @Test
  void shouldNotTakeForOthersWhatTheThreadSendsOtherwise() {
    for (int message = 0; message < 10 * Contention.MEETINGS; message++) {
      claim(); // a request of this thread
      otherClaims++;

      assertThat(isDueAfterMessage()).isFalse();
    }
  }

  @Test
  void shouldNotOfferTheCoreWhereMeetingsTakeTheirTime() {
    long nowNs = 1L << 40;
    contention.isQuick(nowNs);

    assertThat(contention.isQuick(nowNs += Contention.QUICK_NS - 1)).isTrue();
    assertThat(contention.isQuick(nowNs += Contention.QUICK_NS)).isFalse();
    assertThat(contention.isQuick(nowNs + 1)).isTrue();
  }

  @Test
  void shouldNotOweItToWhoIsAloneByThen() {
    for (int message = 0; message < 3 * Contention.MEETINGS; message++) {
      claim();
      contention.claimed(ring, claim(), LENGTH, otherClaims); // by trySend, which does not ask
    }

    assertThat(isDueAfterMessage()).isFalse();
  }

  private boolean isDueAfterMessage() {
    contention.claimed(ring, claim(), LENGTH, otherClaims);
    return contention.isDue();
  }

  private long claim() {
    long position = tail;
    tail += FrameLayout.occupied(LENGTH);
    return position;
  }
}
