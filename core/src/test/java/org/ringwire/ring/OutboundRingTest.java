package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.ring.OutboundRing.FULL;
import static org.ringwire.ring.OutboundRing.NO_CREDIT;
import static org.ringwire.ring.RingFixture.message;
import static org.ringwire.ring.RingFixture.response;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

@ExtendWith(NodeWatcher.class)
class OutboundRingTest {

  private final RingFixture fixture = new RingFixture(256);
  private final OutboundRing ring = fixture.ring;

  @Test
  void shouldDeliverFramesInTheOrderOfClaims() {
    long first = ring.tryClaim(20, 1000);
    long second = ring.tryClaim(24, 1000);
    fixture.encode(second, 24, 2);
    ring.commit(second, message(24));

    assertThat(ring.consumer().scan(1000)).isZero();
    assertThat(ring.consumer().oldestOpenClaim()).isEqualTo(first);
    assertThat(ring.consumer().hasCommitted()).isFalse();

    fixture.encode(first, 20, 1);
    ring.commit(first, message(20));

    assertThat(ring.consumer().hasCommitted()).isTrue();
    assertThat(ring.consumer().oldestOpenClaim()).isEqualTo(-1);
    assertThat(fixture.drain()).isEqualTo(48);
    assertThat(fixture.arrived).containsExactly(1L, 2L);
    assertThat(ring.isEmpty()).isTrue();
    assertThat(fixture.isUnmarked()).isTrue();
  }

  /** As when the ring of an ended link is freed under a thread that was about to write. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // else it spins
  void shouldRefuseTheNextClaimAfterOneWhoseMemoryWasGone() {
    OutboundRing gone = ringThatEnds();
    gone.free();
    assertThatThrownBy(() -> gone.tryClaim(64, 1000)).isInstanceOf(IllegalStateException.class);
    gone.seal();
    assertThat(gone.tryClaim(56, 1000)).isEqualTo(NO_CREDIT);
  }

  /** Its memory is freed, and the next long frame would begin in the next lap. */
  private static OutboundRing ringThatEnds() {
    try (NativeMemory.Scope scope = NativeMemory.open("test")) {
      OutboundRing ring = OutboundRing.over(scope.allocate(256, 64));
      for (int frame = 0; frame < 4; frame++) {
        ring.commit(ring.tryClaim(56, 1000), message(56));
      }
      assertThat(ring.consumer().scan(1000)).isEqualTo(224);
      ring.consumer().sent(224);
      ring.consumer().completed(224);
      return ring;
    }
  }

  @Test
  void shouldSendEverythingCommittedAtOnce() {
    for (int word = 1; word <= 5; word++) {
      fixture.send(16, word);
    }

    assertThat(ring.pendingBytes()).isEqualTo(80);
    assertThat(ring.consumer().scan(1000)).isEqualTo(80);
  }

  @Test
  void shouldEndAScanBeforeTheFrameThatWouldGoBeyondTheLimit() {
    for (int word = 1; word <= 5; word++) {
      fixture.send(16, word);
    }

    assertThat(ring.consumer().scan(0)).isZero();
    assertThat(ring.consumer().scan(31)).isEqualTo(16);
    assertThat(ring.consumer().scan(48)).isEqualTo(48);
    assertThat(ring.consumer().scan(1)).isEqualTo(48);
  }

  @Test
  void shouldScanAFrameThatIsLongerThanTheLimitAlone() {
    fixture.send(64, 1);
    fixture.send(16, 2);

    assertThat(ring.consumer().scan(1)).isEqualTo(64);
    assertThat(ring.consumer().scan(79)).isEqualTo(64);
    assertThat(ring.consumer().scan(80)).isEqualTo(80);
  }

  @Test
  void shouldRefuseAFrameWhenFullUntilBytesAreCompleted() {
    for (int word = 1; word <= 4; word++) {
      assertThat(fixture.send(64, word)).isEqualTo((word - 1) * 64L);
    }
    assertThat(ring.tryClaim(8, 1000)).isEqualTo(FULL);
    assertThat(ring.tryClaimUncharged(8)).isEqualTo(FULL);
    assertThat(ring.tryCharge(8, 1000)).isFalse();

    fixture.take(1000, 64);
    assertThat(ring.tryClaim(8, 1000)).isEqualTo(FULL);

    fixture.complete(64);
    assertThat(ring.tryClaim(8, 1000)).isEqualTo(256);
    assertThat(ring.tryClaim(64, 1000)).isEqualTo(FULL);
  }

  @Test
  void shouldNotTakeUnreleasedFramesForNewOnes() {
    for (int word = 1; word <= 4; word++) {
      fixture.send(64, word);
    }
    fixture.take(1000, 1000);

    assertThat(ring.consumer().scan(1000)).isZero();
    assertThat(ring.consumer().hasCommitted()).isFalse();
    assertThat(ring.consumer().detachedPosition()).isEqualTo(-1);
    assertThat(ring.isEmpty()).isTrue();
  }

  @Test
  void shouldNotTakeTheRestOfAReleasedHeaderForANewOne() {
    for (int word = 1; word <= 4; word++) {
      fixture.send(64, word);
    }
    fixture.take(1000, 1000);
    fixture.complete(3);

    assertThat(ring.consumer().scan(1000)).isZero();
    assertThat(ring.consumer().hasCommitted()).isFalse();
    assertThat(ring.tryClaim(8, 1000)).isEqualTo(FULL);
  }

  @Test
  void shouldNeverWrapAFrame() {
    for (int word = 1; word <= 3; word++) {
      fixture.send(64, word);
    }
    fixture.drain();
    fixture.send(40, 4);

    long position = fixture.send(32, 5);

    assertThat(position).isEqualTo(256);
    assertThat(fixture.take(1000, 1000)).isEqualTo(40);
    assertThat(fixture.take(1000, 1000)).isEqualTo(32);
    assertThat(fixture.arrived).containsExactly(1L, 2L, 3L, 4L, 5L);
    fixture.complete(72);
    assertThat(fixture.isUnmarked()).isTrue();
  }

  @Test
  void shouldNotChargePaddingAtTheEnd() {
    fixture.send(64, 1);
    fixture.send(64, 2);
    fixture.send(56, 3);
    fixture.drain();
    fixture.send(48, 4); // up to 232; 24 are left
    assertThat(ring.tryClaim(32, 232 + 31)).isEqualTo(NO_CREDIT);
    assertThat(ring.tryClaim(32, 232 + 32)).isEqualTo(256);
    assertThat(ring.tryClaim(8, 232 + 39)).isEqualTo(NO_CREDIT);
    assertThat(ring.tryClaim(8, 232 + 40)).isEqualTo(288);
  }

  @Test
  void shouldChargeExactlyUpToTheLimit() {
    assertThat(ring.tryClaim(20, 23)).isEqualTo(NO_CREDIT);
    assertThat(ring.tryClaim(20, 24)).isZero();
    assertThat(ring.tryClaim(8, 24)).isEqualTo(NO_CREDIT);
    assertThat(ring.tryClaimUncharged(40)).isEqualTo(24);
    assertThat(ring.tryClaim(8, 31)).isEqualTo(NO_CREDIT);
    assertThat(ring.tryClaim(8, 32)).isEqualTo(64);
  }

  @Test
  void shouldGiveCreditBackWhenAChargedFrameIsAborted() {
    long charged = ring.tryClaim(40, 40);
    long exempt = ring.tryClaimUncharged(40);
    assertThat(ring.tryClaim(8, 40)).isEqualTo(NO_CREDIT);

    ring.abortUncharged(exempt, 40);
    assertThat(ring.tryClaim(8, 40)).isEqualTo(NO_CREDIT);

    ring.abort(charged, 40);
    assertThat(ring.tryClaim(40, 40)).isEqualTo(80);
    assertThat(ring.tryClaim(8, 40)).isEqualTo(NO_CREDIT);
  }

  @Test
  void shouldNeverSendAnAbortedFrame() {
    fixture.send(16, 1);
    long aborted = ring.tryClaim(44, 1000);
    fixture.encode(aborted, 44, 99);
    fixture.send(16, 2);
    ring.abort(aborted, 44);

    fixture.drain();

    assertThat(fixture.arrived).containsExactly(1L, 2L);
    assertThat(ring.consumer().sentMessages()).isEqualTo(2);
    assertThat(ring.consumer().sentBytes()).isEqualTo(32);
    assertThat(fixture.isUnmarked()).isTrue();
  }

  @Test
  void shouldReleaseAFullRingOfAbortedFramesWithoutAnyCompletion() {
    for (int index = 0; index < 4; index++) {
      ring.abort(ring.tryClaim(64, 1000), 64);
    }
    assertThat(ring.tryClaim(8, 1000)).isEqualTo(FULL);

    assertThat(ring.consumer().scan(1000)).isZero();

    assertThat(ring.tryClaim(64, 64)).isEqualTo(256);
  }

  @Test
  void shouldReleaseSkippedBytesAfterTheEarlierOnesOnlyWhenTheMediumIsLate() {
    fixture.send(64, 1);
    ring.abort(ring.tryClaim(32, 1000), 32);
    ring.abort(ring.tryClaim(32, 1000), 32);
    fixture.send(64, 2);
    ring.abort(ring.tryClaim(64, 1000), 64);
    fixture.take(1000, 1000);
    fixture.take(1000, 1000);
    ring.consumer().scan(1000);
    assertThat(ring.isEmpty()).isTrue();
    assertThat(ring.tryClaim(8, 1000)).isEqualTo(FULL);

    fixture.complete(64);
    assertThat(ring.tryClaim(64, 1000)).isEqualTo(256);
    assertThat(ring.tryClaim(64, 1000)).isEqualTo(320);
    assertThat(ring.tryClaim(8, 1000)).isEqualTo(FULL);

    fixture.complete(64);
    assertThat(ring.tryClaim(64, 1000)).isEqualTo(384);
    assertThat(ring.tryClaim(64, 1000)).isEqualTo(448);
    assertThat(ring.tryClaim(8, 1000)).isEqualTo(FULL);
  }

  @Test
  void shouldCompleteSeveralRangesAndSkipsAtOnce() {
    fixture.send(64, 1);
    ring.abort(ring.tryClaim(32, 1000), 32);
    fixture.send(56, 2);
    ring.abort(ring.tryClaim(24, 1000), 24);
    fixture.send(48, 3);
    while (fixture.take(1000, 1000) > 0) {}

    fixture.complete(168);

    assertThat(fixture.arrived).containsExactly(1L, 2L, 3L);
    assertThat(fixture.isUnmarked()).isTrue();
    assertThat(ring.tryClaim(64, 1000)).isEqualTo(256);
  }

  @Test
  void shouldPassDetachedFramesInOrder() {
    fixture.send(16, 1);
    long detached = ring.tryClaimUncharged(8);
    ring.commit(detached, FrameLayout.header(FrameLayout.DETACHED, 0, 8));
    fixture.send(16, 2);

    assertThat(ring.consumer().scan(1000)).isEqualTo(16);
    assertThat(ring.consumer().detachedPosition()).isEqualTo(-1);
    assertThatThrownBy(ring.consumer()::skipDetached).isInstanceOf(IllegalStateException.class);
    fixture.take(1000, 1000);
    assertThat(ring.consumer().scan(1000)).isZero();
    assertThat(ring.consumer().detachedPosition()).isEqualTo(detached);
    ring.consumer().skipDetached();
    assertThat(ring.consumer().scan(1000)).isEqualTo(16);
    fixture.take(1000, 1000);
    fixture.complete(32);

    assertThat(fixture.arrived).containsExactly(1L, 2L);
    assertThat(fixture.isUnmarked()).isTrue();
  }

  @Test
  void shouldChargeBytesOutsideOfTheRing() {
    assertThat(ring.tryCharge(100, 99)).isFalse();
    assertThat(ring.claimed()).isZero();
    assertThat(ring.tryCharge(100, 110)).isTrue();
    assertThat(ring.tryClaim(16, 110)).isEqualTo(NO_CREDIT);
    assertThat(ring.tryCharge(16, 110)).isFalse();
    assertThat(ring.tryClaim(8, 110)).isEqualTo(8);

    ring.uncharge(100);

    assertThat(ring.tryClaim(16, 24)).isEqualTo(16);
    assertThat(ring.tryClaim(16, 24)).isEqualTo(NO_CREDIT);
  }

  @Test
  void shouldSayWhichMessagesWereStartedAndWhichNotWhenAFrameIsCut() {
    fixture.send(24, 1);
    long exempt = ring.tryClaimUncharged(24);
    fixture.encode(exempt, 24, 2);
    ring.commit(exempt, response(24));
    fixture.send(24, 3);
    fixture.send(24, 4);
    ring.abort(ring.tryClaim(24, 1000), 24);
    fixture.send(24, 5);
    assertThat(ring.consumer().countUnsentMessages()).isEqualTo(4);

    assertCut(30, 1, 1, 3);
    assertCut(25, 1, 2, 2);
    assertCut(9, 1, 2, 2);
    assertCut(8, 2, 2, 2);
    assertCut(24, 3, 3, 1);
    assertCut(1, 3, 4, 0);
    assertCut(23, 4, 4, 0);
    assertThat(fixture.arrived).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  private void assertCut(int bytes, int sent, int started, int unsent) {
    fixture.complete(fixture.take(1000, bytes));
    assertThat(ring.consumer().sentMessages()).isEqualTo(sent);
    assertThat(ring.consumer().startedMessages()).isEqualTo(started);
    assertThat(ring.consumer().countUnsentMessages()).isEqualTo(unsent);
  }

  @Test
  void shouldRefuseEveryClaimOnceSealed() {
    fixture.send(16, 1);
    long open = ring.tryClaim(24, 1000);
    ring.seal();
    ring.seal();

    assertThat(ring.tryClaim(8, Long.MAX_VALUE)).isEqualTo(FULL);
    assertThat(ring.tryClaim(8, 1000)).isNegative();
    assertThat(ring.tryClaimUncharged(8)).isEqualTo(FULL);
    assertThat(ring.tryCharge(8, Long.MAX_VALUE)).isFalse();
    assertThat(ring.claimed()).isEqualTo(40);
    assertThat(ring.chargedBytes()).isEqualTo(40);
    assertThat(ring.pendingBytes()).isEqualTo(40);
    assertThat(ring.consumer().oldestOpenClaim()).isEqualTo(-1);

    fixture.encode(open, 24, 2);
    ring.commit(open, message(24));
    assertThat(ring.consumer().countUnsentMessages()).isEqualTo(2);
    fixture.drain();
    assertThat(fixture.arrived).containsExactly(1L, 2L);
    assertThat(ring.isEmpty()).isTrue();
    assertThat(ring.consumer().restart()).isFalse();
    assertThat(ring.claimed()).isEqualTo(40);
  }

  @Test
  void shouldSayWhoseFrameIsOpen() {
    long first = ring.tryClaim(16, 1000);
    assertThat(ring.consumer().oldestOpenClaim()).isEqualTo(first);
    assertThat(ring.consumer().openType()).isEqualTo(-1);
    ring.open(ring.memory(), first, FrameLayout.header(FrameLayout.MESSAGE, 65535, 16));
    long second = ring.tryClaim(16, 1000);
    ring.open(ring.memory(), second, FrameLayout.header(FrameLayout.MESSAGE, 3, 16));

    assertThat(ring.consumer().openType()).isEqualTo(65535);
    assertThat(ring.consumer().oldestOpenClaim()).isEqualTo(first);
    assertThat(ring.consumer().hasCommitted()).isFalse();
    assertThat(ring.consumer().scan(1000)).isZero();
    assertThat(ring.consumer().countUnsentMessages()).isZero();

    ring.abort(first, 16);
    assertThat(ring.consumer().hasCommitted()).isTrue();
    assertThat(ring.consumer().scan(1000)).isZero();
    assertThat(ring.consumer().openType()).isEqualTo(3);
    fixture.encode(second, 16, 2);
    ring.commit(second, message(16));
    fixture.drain();
    assertThat(fixture.arrived).containsExactly(2L);
    assertThat(ring.consumer().oldestOpenClaim()).isEqualTo(-1);
  }

  @Test
  void shouldRefuseLengthsThatDoNotFit() {
    assertThat(ring.maxFrameLength()).isEqualTo(64);
    assertThatThrownBy(() -> ring.tryClaim(65, 1000)).hasMessageContaining("length=65");
    assertThatThrownBy(() -> ring.tryClaim(7, 1000)).hasMessageContaining("length=7");
    assertThatThrownBy(() -> ring.tryClaimUncharged(-1)).hasMessageContaining("length=-1");
    fixture.send(16, 1);
    ring.consumer().scan(1000);
    assertThatThrownBy(() -> ring.consumer().sent(17)).hasMessageContaining("bytes=17");
  }

  @Test
  void shouldRefuseCapacitiesThatAreNoPowerOfTwo() {
    try (NativeMemory.Scope scope = NativeMemory.open("test")) {
      for (int capacity : new int[] {0, 8, 32, 96, 1 << 20 | 8}) {
        MemorySegment memory = scope.allocate(capacity, 64);
        assertThatThrownBy(() -> OutboundRing.over(memory))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("capacity=" + capacity);
      }
      assertThat(OutboundRing.over(scope.allocate(64, 64)).maxFrameLength()).isEqualTo(16);
    }
  }

  /** Memory that is shared with another process may say anything; it is sent, and not believed. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // what fails does not end
  void shouldSendWhatWasCommittedWhateverTheHeadersSay() {
    SplittableRandom random = new SplittableRandom(11);
    long empty = FrameLayout.header(FrameLayout.MESSAGE, 1, 0);
    for (int round = 0; round < 1000; round++) {
      OutboundRing scribbled = new RingFixture(8192).ring;
      for (int length : new int[] {64, 1024, 504, 512}) {
        scribbled.commit(scribbled.tryClaim(length, 8192), message(length));
      }
      scribbled.abort(scribbled.tryClaim(2048, 8192), 2048);
      scribbled.commit(scribbled.tryClaim(520, 8192), message(520));
      long detached = scribbled.tryClaimUncharged(8);
      scribbled.commit(detached, FrameLayout.header(FrameLayout.DETACHED, 0, 8));
      for (long offset = 0; offset < 8192; offset += Long.BYTES) {
        long word = random.nextBoolean() ? empty : random.nextInt(3) == 0 ? 0 : random.nextLong();
        FrameLayout.writeWord(scribbled.memory(), offset, word);
      }
      RingConsumer consumer = scribbled.consumer();
      assertThat(consumer.isCommitted()).isTrue();
      assertThat(consumer.countUnsentMessages()).isEqualTo(5);
      assertThat(consumer.scan(8192)).isEqualTo(64 + 1024 + 504 + 512);
      consumer.sent(64 + 1000);
      assertThat(consumer.startedMessages()).isEqualTo(2);
      consumer.sent(24 + 504 + 512);
      assertThat(consumer.scan(8192)).isEqualTo(520);
      consumer.sent(520);
      assertThat(consumer.scan(8192)).isZero();
      assertThat(consumer.detachedPosition()).isEqualTo(detached);
      consumer.skipDetached();
      assertThat(consumer.sentMessages()).isEqualTo(5);
      assertThat(scribbled.isEmpty()).isTrue();
    }
  }
}
