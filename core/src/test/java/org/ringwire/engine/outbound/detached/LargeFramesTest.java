package org.ringwire.engine.outbound.detached;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ControlFrames;

/** Which announcements go out, and what becomes of their grants; tokens count from 1. */
@ExtendWith(NodeWatcher.class)
class LargeFramesTest {

  private static final long LENGTH = 1 << 20;
  private static final long OTHER = 2 << 20;
  private static final long THIRD = 3 << 20;

  private final ReceiveBufferPool buffers = new ReceiveBufferPool(0);
  private final ControlQueue control = new ControlQueue();
  private final NewFrames newFrames = new NewFrames(control);
  private long nowNs;
  private final LargeFrames frames = new LargeFrames(buffers, control, 1 << 20, () -> nowNs);
  private long announced;

  @AfterEach
  void close() {
    frames.close();
    buffers.close();
  }

  private void grantNext() {
    assertThat(frames.granted(++announced)).isNull();
  }

  /** As a sender does it that waits for its grant. */
  private void sendOne(long length) {
    assertThat(frames.tryTakeGrant(length)).isEqualTo(LargeFrames.NO_GRANT);
    assertThat(newFrames.count()).isOne();
    grantNext();
    assertThat(frames.tryTakeGrant(length)).isEqualTo(announced);
  }

  /** A node that is closed has no buffers any more; the budget is that of the process. */
  @Test
  void shouldCommitNothingForAFrameThatGetsNoMemory() {
    buffers.close();
    long committed = MemoryBudget.committed();
    assertThatThrownBy(() -> frames.memory().acquire(LENGTH))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> frames.memory().acquireResponse(LENGTH))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> frames.memory().acquireFailure(LENGTH))
        .isInstanceOf(IllegalStateException.class);
    assertThat(MemoryBudget.committed()).isEqualTo(committed);
    assertThat(frames.inFlightBytes()).isZero();
    assertThat(frames.memory().hasTooManyResponses()).isFalse();
  }

  /** Senders that may not wait have asked for it and never come back; the link is in use. */
  @Test
  void shouldGiveBackWhatLiesSinceTheLastLook() {
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(LargeFrames.NO_GRANT);
    assertThat(frames.giveBackOld()).as("not granted yet").isFalse();
    grantNext();
    assertThat(frames.giveBackOld()).isTrue();
    assertThat(frames.tryTakeGrant(OTHER)).isEqualTo(LargeFrames.NO_GRANT);
    grantNext();
    assertThat(newFrames.count()).isEqualTo(2);
    assertThat(frames.giveBackOld()).as("the second is new").isTrue();
    assertThat(newFrames.count()).as("given back").isOne();
    assertThat(frames.tryTakeGrant(OTHER)).as("is there still").isEqualTo(announced);
    assertThat(frames.tryTakeGrant(LENGTH)).as("is gone").isEqualTo(LargeFrames.NO_GRANT);
    assertThat(frames.giveBackOld()).isFalse();
  }

  /**
   * A receiver that grants one after the other would keep room for each as long as for the first.
   */
  @Test
  void shouldGiveBackAtOnceWhatNobodyHasWantedForAsLongAsAGrantStays() {
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(LargeFrames.NO_GRANT);
    assertThat(frames.tryTakeGrant(OTHER)).isEqualTo(LargeFrames.NO_GRANT);
    assertThat(frames.tryTakeGrant(THIRD)).isEqualTo(LargeFrames.NO_GRANT);
    frames.beginAwait(LENGTH);
    nowNs += Announcements.FORSAKEN_NS;
    assertThat(frames.endAwait(LENGTH, false)).isFalse();
    assertThat(newFrames.count()).isEqualTo(3);
    grantNext();
    assertThat(newFrames.count()).as("was waited for just now").isZero();
    frames.beginAwait(THIRD);
    grantNext();
    assertThat(newFrames.count()).as("given back").isOne();
    grantNext();
    assertThat(newFrames.count()).as("is waited for").isZero();
    assertThat(frames.tryTakeGrant(LENGTH)).isOne();
    assertThat(frames.tryTakeGrant(THIRD)).isEqualTo(announced);
    assertThat(frames.endAwait(THIRD, true)).isFalse();
  }

  @Test
  void shouldAnnounceNothingAheadForTheFirstFrame() {
    sendOne(LENGTH);
    assertThat(newFrames.count()).isZero();
  }

  @Test
  void shouldAnnounceAheadForAStreamOfFrames() {
    sendOne(LENGTH);
    sendOne(LENGTH);
    for (int frame = 0; frame < 5; frame++) {
      assertThat(newFrames.count()).as("announced ahead").isOne();
      assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(LargeFrames.NO_GRANT);
      assertThat(newFrames.count()).as("announced already").isZero();
      grantNext();
      assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(announced);
    }
  }

  @Test
  void shouldAnnounceAheadThoughManyLengthsWereTriedAndDropped() {
    for (int length = 1; length <= 16; length++) {
      assertThat(frames.tryTakeGrant(LENGTH + 8L * length)).isEqualTo(LargeFrames.NO_GRANT);
      grantNext();
    }
    nowNs += LargeFrames.WANTED_NS;
    frames.giveBackAhead();
    int _ = newFrames.count();

    sendOne(LENGTH);
    sendOne(LENGTH);

    assertThat(newFrames.count()).as("announced ahead").isOne();
  }

  @Test
  void shouldAnnounceNothingAheadWhileLengthsChange() {
    for (int frame = 0; frame < 4; frame++) {
      sendOne(LENGTH);
      sendOne(OTHER);
    }
    assertThat(newFrames.count()).isZero();
  }

  @Test
  void shouldAnnounceNothingAheadForTheLongest() {
    sendOne(LargeFrames.MOST_AHEAD + 8);
    sendOne(LargeFrames.MOST_AHEAD + 8);
    assertThat(newFrames.count()).isZero();
  }

  @Test
  void shouldGiveBackWhatIsNotUsedBetweenTwoLooks() {
    sendOne(LENGTH);
    sendOne(LENGTH);
    grantNext();
    assertThat(newFrames.count()).isOne();
    assertThat(frames.giveBackAhead()).isFalse();
    assertThat(newFrames.count()).isZero();
    assertThat(frames.giveBackAhead()).isTrue();
    assertThat(newFrames.count()).as("given back").isOne();
    assertThat(frames.giveBackAhead()).isFalse();
    sendOne(LENGTH);
  }

  @Test
  void shouldGiveBackAGrantThatComesLate() {
    sendOne(LENGTH);
    sendOne(LENGTH);
    assertThat(newFrames.count()).isOne();
    assertThat(frames.giveBackAhead()).isFalse();
    assertThat(frames.giveBackAhead()).isTrue();
    assertThat(newFrames.count()).as("not granted yet").isZero();
    grantNext();
    assertThat(newFrames.count()).as("given back").isOne();
  }

  /** Else the receiver would keep the room for nobody until the link ends. */
  @Test
  void shouldKeepAGrantThatIsReturnedWithoutHeap() {
    sendOne(LENGTH);
    frames.returnLater(announced, LENGTH);
    assertThat(frames.giveBackAhead()).isFalse();
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(announced);
  }

  @Test
  void shouldKeepWhatIsUsedBetweenLooks() {
    sendOne(LENGTH);
    sendOne(LENGTH);
    for (int frame = 0; frame < 5; frame++) {
      assertThat(newFrames.count()).isOne();
      assertThat(frames.giveBackAhead()).isFalse();
      grantNext();
      assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(announced);
    }
  }

  /** Over a line with latency each would find its grant gone back when it comes. */
  @Test
  void shouldKeepWhatSendersWaitForHoweverManyTheirLengthsAre() {
    int senders = 100;
    for (int index = 0; index < senders; index++) {
      frames.beginAwait(LENGTH + 8L * index);
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(LargeFrames.NO_GRANT);
    }
    for (int index = 0; index < senders; index++) {
      grantNext();
    }
    assertThat(newFrames.count()).as("announced, and none given back").isEqualTo(senders);
    for (int index = 0; index < senders; index++) {
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(index + 1);
      boolean _ = frames.endAwait(LENGTH + 8L * index, false);
    }
  }

  @Test
  void shouldTakeNothingFromThoseThatWaitForOneThatDoesNot() {
    int senders = LargeFrames.MOST_TRIED;
    for (int index = 0; index < senders; index++) {
      frames.beginAwait(LENGTH + 8L * index);
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(LargeFrames.NO_GRANT);
    }
    assertThat(newFrames.count()).isEqualTo(senders);
    nowNs += LargeFrames.WANTED_NS;
    assertThat(frames.tryTakeGrant(OTHER)).isEqualTo(LargeFrames.NO_GRANT);
    assertThat(newFrames.count()).isZero();
    frames.beginNotice(OTHER);
    assertThat(newFrames.count()).as("announced for who wants to be told").isOne();
    assertThat(frames.mayTakeGrant(OTHER)).as("worth another attempt").isFalse();
    for (int index = 0; index < senders; index++) {
      boolean _ = frames.endAwait(LENGTH + 8L * index, false); // as if none had come in time
    }
    assertThat(frames.tryTakeGrant(THIRD)).isEqualTo(LargeFrames.NO_GRANT);
    for (int index = 0; index < senders; index++) {
      grantNext();
    }
    assertThat(newFrames.count()).as("its own, and all that nobody wants").isEqualTo(1 + senders);
    assertThat(frames.mayTakeGrant(OTHER)).as("not granted yet").isFalse();
    grantNext();
    assertThat(frames.tryTakeGrant(OTHER)).isEqualTo(announced);
  }

  /**
   * Else each would take the grant of another one that has been told of it, and none would send.
   */
  @Test
  void shouldKeepWhatSendersAreToldOfHoweverManyTheirLengthsAre() {
    int senders = LargeFrames.MOST_TRIED + 50;
    for (int index = 0; index < senders; index++) {
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(LargeFrames.NO_GRANT);
      frames.beginNotice(LENGTH + 8L * index);
      assertThat(frames.mayTakeGrant(LENGTH + 8L * index)).as("announced").isFalse();
    }
    assertThat(newFrames.count()).as("announced, and none given back").isEqualTo(senders);
    nowNs += LargeFrames.WANTED_NS;
    for (int index = 0; index < senders; index++) {
      grantNext();
      assertThat(frames.mayTakeGrant(LENGTH + 8L * index)).as("to be told").isTrue();
      boolean _ = frames.endNotice(LENGTH + 8L * index, true);
    }
    assertThat(frames.tryTakeGrant(OTHER)).isEqualTo(LargeFrames.NO_GRANT);
    for (int index = 0; index < senders; index++) {
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(index + 1);
    }
    assertThat(newFrames.count()).as("neither given back nor taken the place of").isZero();
  }

  /** A thread may try many messages in turn, again and again. */
  @Test
  void shouldKeepWhatIsAskedForAgainHoweverManyLengthsThereAre() {
    int lengths = 100;
    for (int index = 0; index < lengths; index++) {
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(LargeFrames.NO_GRANT);
    }
    assertThat(newFrames.count()).as("announced, and none given back").isEqualTo(lengths);
    for (int index = 0; index < lengths; index++) {
      grantNext();
    }
    nowNs += LargeFrames.WANTED_NS - 1;
    assertThat(frames.giveBackAhead()).isFalse();
    for (int index = 0; index < lengths; index++) {
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(index + 1);
    }
  }

  @Test
  void shouldKeepLittleForWhoDoesNotComeAgain() {
    int lengths = 30;
    for (int index = 0; index < lengths; index++) {
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(LargeFrames.NO_GRANT);
      grantNext();
    }
    assertThat(newFrames.count()).isEqualTo(lengths);
    nowNs += LargeFrames.WANTED_NS;
    assertThat(frames.giveBackAhead()).isTrue();
    assertThat(newFrames.count()).as("given back").isEqualTo(lengths - 16);
    assertThat(frames.tryTakeGrant(LENGTH)).as("the oldest first").isEqualTo(LargeFrames.NO_GRANT);
    assertThat(newFrames.count()).as("announced, in place of no other").isOne();
    assertThat(frames.tryTakeGrant(LENGTH + 8L * (lengths - 1))).isEqualTo(lengths);
  }

  /** Else the attempt for each takes the grant of the one that is tried next, and none is sent. */
  @Test
  void shouldSendSomeInEachRoundWhoeverComesLateHoweverManyLengthsThereAre() {
    Set<Long> pending = new TreeSet<>();
    for (int index = 0; index < 100; index++) {
      pending.add(LENGTH + 8L * index);
    }
    while (!pending.isEmpty()) {
      int before = pending.size();
      pending.removeIf(length -> frames.tryTakeGrant(length) != LargeFrames.NO_GRANT);
      if (announced > 0) {
        assertThat(before - pending.size()).as("sent").isEqualTo(Math.min(before, 16));
      }
      for (int index = 0; index < pending.size(); index++) {
        grantNext();
      }
      nowNs += LargeFrames.WANTED_NS;
      boolean _ = frames.giveBackAhead();
    }
  }

  /**
   * What a receiver grants at a time may be all in grants of senders that gave up, whose lengths
   * nobody sends any more.
   */
  @Test
  void shouldNotKeepForLongWhatNobodyWantsWhileAnotherStands() {
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(LargeFrames.NO_GRANT);
    grantNext();
    assertThat(frames.tryTakeGrant(THIRD)).isEqualTo(LargeFrames.NO_GRANT);
    frames.beginAwait(OTHER);
    assertThat(frames.tryTakeGrant(OTHER)).isEqualTo(LargeFrames.NO_GRANT);
    assertThat(newFrames.count()).as("announced").isEqualTo(3);
    nowNs += LargeFrames.LEFT_NS - 1;
    assertThat(frames.giveBackAhead()).isFalse();
    assertThat(frames.giveBackAhead()).as("somebody may come for it").isFalse();
    nowNs++;
    assertThat(frames.giveBackAhead()).isTrue();
    assertThat(newFrames.count()).as("the grant that lay").isOne();
    grantNext();
    assertThat(newFrames.count()).as("the one that comes for nobody").isOne();
    grantNext();
    assertThat(frames.tryTakeGrant(OTHER)).isEqualTo(announced);
    boolean _ = frames.endAwait(OTHER, false);
  }

  @Test
  void shouldKeepWhatNobodyWantsWhileOthersAreGranted() {
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(LargeFrames.NO_GRANT);
    grantNext();
    nowNs += LargeFrames.LEFT_NS;
    for (int index = 0; index < 5; index++) {
      long length = OTHER + 8L * index;
      frames.beginAwait(length);
      assertThat(frames.tryTakeGrant(length)).isEqualTo(LargeFrames.NO_GRANT);
      assertThat(frames.giveBackAhead()).isFalse();
      grantNext();
      assertThat(frames.tryTakeGrant(length)).isEqualTo(announced);
      boolean _ = frames.endAwait(length, false);
    }
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(1);
  }

  @Test
  void shouldNotKeepForLongWhatNobodyWantsWhileAResponseStands() {
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(LargeFrames.NO_GRANT);
    grantNext();
    assertThat(frames.announceResponse(response())).isTrue();
    nowNs += LargeFrames.LEFT_NS;
    assertThat(newFrames.count()).as("announced").isEqualTo(2);
    assertThat(frames.giveBackAhead()).as("it may just have come").isFalse();
    assertThat(frames.giveBackAhead()).isTrue();
    assertThat(newFrames.count()).as("given back").isOne();
    requireNonNull(frames.granted(++announced)).release();
  }

  @Test
  void shouldNotCountWhatIsWantedToWhatNobodyWants() {
    for (int index = 0; index < 16; index++) {
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(LargeFrames.NO_GRANT);
      grantNext();
    }
    nowNs += LargeFrames.WANTED_NS;
    for (int index = 0; index < 16; index++) {
      assertThat(frames.tryTakeGrant(OTHER + 8L * index)).isEqualTo(LargeFrames.NO_GRANT);
      grantNext();
    }
    assertThat(newFrames.count()).as("announced, and none given back").isEqualTo(32);
    assertThat(frames.giveBackAhead()).isFalse();
    for (int index = 0; index < 16; index++) {
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(index + 1);
    }
  }

  @Test
  void shouldGiveNothingBackThatWasAnnouncedAheadAndIsWaitedFor() {
    sendOne(LENGTH);
    sendOne(LENGTH);
    assertThat(newFrames.count()).as("announced ahead").isOne();
    frames.beginAwait(LENGTH);
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(LargeFrames.NO_GRANT);
    assertThat(frames.giveBackAhead()).isFalse();
    assertThat(frames.giveBackAhead()).isFalse();
    grantNext();
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(announced);
  }

  /** Each may have the memory that another one lacked. */
  @Test
  void shouldKeepAGrantThatOneHasNoMemoryForWhileAnotherWaitsForIt() {
    frames.beginAwait(LENGTH);
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(LargeFrames.NO_GRANT);
    frames.giveBackGrant(LENGTH);
    grantNext();
    assertThat(newFrames.count()).as("announced, and not given back").isOne();
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(announced);
    boolean _ = frames.endAwait(LENGTH, false);
  }

  /** A receiver ends the link of who asks for more at a time than it has to keep. */
  @Test
  void shouldHaveNoMoreOpenThanTheReceiverKeeps() {
    int most = Announcements.MOST_MESSAGES;
    for (int index = 0; index < 2 * most; index++) {
      nowNs += LargeFrames.WANTED_NS;
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(LargeFrames.NO_GRANT);
    }
    assertThat(newFrames.count()).as("announced").isEqualTo(most);
    grantNext();
    assertThat(newFrames.count()).as("the first went back, and another was announced").isEqualTo(2);
  }

  @Test
  void shouldAnnounceResponsesBesideMessagesOfManyLengths() {
    for (int index = 0; index < 2 * ControlFrames.MOST_ANNOUNCED; index++) {
      nowNs += LargeFrames.WANTED_NS;
      assertThat(frames.tryTakeGrant(LENGTH + 8L * index)).isEqualTo(LargeFrames.NO_GRANT);
    }
    assertThat(newFrames.count()).isEqualTo(Announcements.MOST_MESSAGES);
    for (int index = 0; index < ControlFrames.MOST_ANNOUNCED; index++) {
      assertThat(frames.announceResponse(response())).isTrue();
    }
    assertThat(newFrames.count())
        .isEqualTo(ControlFrames.MOST_ANNOUNCED - Announcements.MOST_MESSAGES);
  }

  /** Until then the receiver may not have taken its grant for used. */
  @Test
  void shouldCountAFrameAsOpenUntilItIsWritten() {
    for (int index = 0; index < ControlFrames.MOST_ANNOUNCED + 1; index++) {
      assertThat(frames.announceResponse(response())).isTrue();
    }
    assertThat(newFrames.count()).isEqualTo(ControlFrames.MOST_ANNOUNCED);
    DetachedFrame granted = requireNonNull(frames.granted(1));
    assertThat(newFrames.count()).isZero();
    granted.release();
    assertThat(newFrames.count()).isOne();
  }

  @Test
  void shouldReleaseResponsesThatWereNotAnnounced() {
    long committed = MemoryBudget.committed();
    for (int index = 0; index < ControlFrames.MOST_ANNOUNCED + 1; index++) {
      assertThat(frames.announceResponse(response())).isTrue();
    }
    frames.close();
    assertThat(frames.inFlightBytes()).isZero();
    assertThat(MemoryBudget.committed()).isEqualTo(committed);
  }

  private DetachedFrame response() {
    return new DetachedFrame(frames, frames.memory().acquireFailure(64), 64, false);
  }

  /** The peer has not read for long, and then it does. */
  @Test
  void shouldAnnounceAgainWhatFoundNoPlaceAmongControlFrames() {
    while (control.add(ControlFrames.ping(1))) {}
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(LargeFrames.NO_GRANT);
    assertThat(newFrames.count()).isPositive();
    assertThat(frames.giveBackAhead()).as("there is something to drain").isTrue();
    assertThat(newFrames.count()).as("the announcement").isOne();
    grantNext();
    while (control.add(ControlFrames.ping(1))) {}
    frames.giveBackUnused();
    assertThat(newFrames.count()).isPositive();
    assertThat(frames.giveBackAhead()).isTrue();
    assertThat(newFrames.count()).as("the grant").isOne();
  }
}
