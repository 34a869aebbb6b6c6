package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.ring.OutboundRing.FULL;
import static org.ringwire.ring.OutboundRing.NO_CREDIT;
import static org.ringwire.ring.RingFixture.message;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** A ring that goes on at the beginning of its memory. */
@ExtendWith(NodeWatcher.class)
class RingRestartTest {

  private final RingFixture fixture = new RingFixture(256);
  private final OutboundRing ring = fixture.ring;

  @Test
  void shouldRestartAtTheBeginningWhenEmptyAndReleased() {
    fixture.send(56, 1);
    fixture.drain();
    assertThat(ring.consumer().restart()).isFalse(); // not worth it

    fixture.send(40, 2);
    assertThat(ring.consumer().restart()).isFalse(); // not sent
    fixture.take(1000, 1000);
    assertThat(ring.consumer().restart()).isFalse(); // not completed
    fixture.complete(40);
    assertThat(ring.consumer().restart()).isTrue();

    assertThat(ring.consumer().sentOffset()).isZero();
    assertThat(ring.isEmpty()).isTrue();
    assertThat(ring.pendingBytes()).isZero();
    assertThat(ring.tryClaim(64, 56 + 40 + 63)).isEqualTo(NO_CREDIT);
    assertThat(ring.tryClaim(64, 56 + 40 + 64)).isEqualTo(256);
    for (int index = 1; index < 4; index++) {
      assertThat(ring.tryClaim(64, 1000)).isEqualTo(256 + 64L * index);
    }
    assertThat(ring.tryClaim(8, 1000)).isEqualTo(FULL);
  }

  @Test
  void shouldRestartAheadOfTheLastCompletion() {
    fixture.send(64, 1);
    fixture.send(24, 1);
    fixture.drain();
    assertThat(ring.consumer().restartAhead()).isFalse(); // nothing is to be completed: restart()
    fixture.send(40, 2);
    fixture.take(1000, 1000);
    assertThat(ring.consumer().restartAhead()).isFalse(); // so much is
    fixture.complete(16);
    assertThat(ring.consumer().restartsAhead()).isZero();

    assertThat(ring.consumer().restartAhead()).isTrue(); // 24 bytes at 104

    assertThat(ring.consumer().restartsAhead()).isEqualTo(3);
    assertThat(ring.consumer().sentOffset()).isZero();
    assertThat(ring.isEmpty()).isTrue();
    assertThat(ring.pendingBytes()).isZero();
    assertThat(ring.tryClaim(64, 88 + 40 + 63)).isEqualTo(NO_CREDIT);
    assertThat(fixture.send(64, 3)).isEqualTo(256);
    assertThat(ring.tryClaim(48, 1000)).isEqualTo(FULL);
    assertThat(fixture.send(40, 4)).isEqualTo(320);
    fixture.take(1000, 1000);
    assertThat(ring.consumer().restartAhead()).isFalse(); // not twice

    fixture.complete(24);

    assertThat(ring.consumer().restartsAhead()).isEqualTo(2);
    assertThat(fixture.send(64, 5)).isEqualTo(360);
    fixture.take(1000, 1000);
    fixture.complete(fixture.inFlight());
    assertThat(fixture.isUnmarked()).isTrue();
    assertThat(fixture.arrived).containsExactly(1L, 1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void shouldNotRestartAheadWhileASkipWaitsForWhatPrecedesIt() {
    fixture.send(64, 1);
    fixture.send(24, 1);
    fixture.drain();
    fixture.send(16, 2);
    fixture.take(1000, 1000);
    long aborted = ring.tryClaim(16, 1000);
    fixture.encode(aborted, 16, 9);
    ring.abort(aborted, 16);
    fixture.take(1000, 1000); // skips
    assertThat(ring.consumer().restartAhead()).isFalse();
    fixture.complete(16);
    assertThat(ring.consumer().restart()).isTrue();
    assertThat(fixture.isUnmarked()).isTrue();
  }

  @Test
  void shouldNotRestartWhileAClaimIsOpen() {
    fixture.send(64, 1);
    fixture.drain();
    long open = ring.tryClaim(16, 1000);

    assertThat(ring.consumer().restart()).isFalse();

    fixture.encode(open, 16, 2);
    ring.commit(open, message(16));
    fixture.drain();
    assertThat(fixture.arrived).containsExactly(1L, 2L);
  }
}
