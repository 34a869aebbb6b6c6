package org.ringwire.engine.outbound.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/** What becomes of a grant that a sender has waited for in vain; tokens count from 1. */
@ExtendWith(NodeWatcher.class)
class LeftGrantsTest {

  private static final long LENGTH = 1 << 20;
  private static final long OTHER = 2 << 20;
  private static final long THIRD = 3 << 20;

  private final ReceiveBufferPool buffers = new ReceiveBufferPool(0);
  private final ControlQueue control = new ControlQueue();
  private final NewFrames newFrames = new NewFrames(control);
  private long nowNs;
  private boolean noHeap;
  private final LargeFrames frames = new LargeFrames(buffers, control, 4 << 20, this::nowNs);
  private long announced;

  @AfterEach
  void close() {
    frames.close();
    buffers.close();
  }

  private long nowNs() {
    if (noHeap) {
      throw new OutOfMemoryError("as if");
    }
    return nowNs;
  }

  private void grantNext() {
    assertThat(frames.granted(++announced)).isNull();
  }

  private void waitInVain(long length) {
    frames.beginAwait(length);
    assertThat(frames.tryTakeGrant(length)).isEqualTo(LargeFrames.NO_GRANT);
    boolean _ = frames.endAwait(length, false);
  }

  private void beginToWait(long length) {
    frames.beginAwait(length);
    assertThat(frames.tryTakeGrant(length)).isEqualTo(LargeFrames.NO_GRANT);
  }

  /** Else each that gives up keeps the next ones waiting until they give up as well, for good. */
  @Test
  void shouldNotKeepWhatOneHasWaitedForInVainWhileAnotherWaits() {
    waitInVain(LENGTH);
    waitInVain(THIRD);
    grantNext();
    assertThat(newFrames.count()).as("announced; nobody else waits").isEqualTo(2);
    beginToWait(OTHER);
    assertThat(newFrames.count()).as("the grant that lay, and its own").isEqualTo(2);
    grantNext();
    assertThat(newFrames.count()).as("the one that comes too late").isOne();
    grantNext();
    assertThat(frames.tryTakeGrant(OTHER)).isEqualTo(announced);
    assertThat(frames.endAwait(OTHER, true)).isFalse();
  }

  /** The other one is woken by it, and finds that it is awaited still. */
  @Test
  void shouldNotKeepWhatComesInTheLastAttemptWhileAnotherWaits() {
    beginToWait(LENGTH);
    beginToWait(OTHER);
    frames.beginNotice(THIRD);
    assertThat(frames.tryTakeGrant(THIRD)).isEqualTo(LargeFrames.NO_GRANT);
    grantNext();
    assertThat(frames.granted(3)).isNull();
    assertThat(frames.tryTakeGrant(OTHER)).isEqualTo(LargeFrames.NO_GRANT);
    assertThat(newFrames.count()).as("announced").isEqualTo(3);
    assertThat(frames.endAwait(LENGTH, false)).as("there is something to drain").isTrue();
    assertThat(newFrames.count()).as("what came too late").isOne();
    assertThat(frames.endNotice(THIRD, false)).isTrue();
    assertThat(newFrames.count()).isOne();
    assertThat(frames.endAwait(OTHER, false)).as("nothing was granted").isFalse();
  }

  @Test
  void shouldNotKeepWhatOneDoesNotWantToBeToldOfWhileAResponseWaits() {
    frames.beginNotice(LENGTH);
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(LargeFrames.NO_GRANT);
    assertThat(frames.endNotice(LENGTH, false)).isFalse();
    grantNext();
    assertThat(newFrames.count()).as("announced").isOne();
    DetachedFrame response =
        new DetachedFrame(frames, frames.memory().acquireResponse(OTHER), OTHER, false);
    assertThat(frames.announceResponse(response)).isTrue();
    assertThat(newFrames.count()).as("its own, and the grant that lay").isEqualTo(2);
  }

  /** Its requester is told of the error, and of nothing else. */
  @Test
  void shouldNotAnnounceAResponseIfThereIsNoHeap() {
    DetachedFrame response =
        new DetachedFrame(frames, frames.memory().acquireResponse(OTHER), OTHER, false);
    noHeap = true;
    assertThatThrownBy(() -> frames.announceResponse(response))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(newFrames.count()).isZero();
    assertThat(frames.inFlightBytes()).isZero();
  }

  @Test
  void shouldKeepWhatOneComesBackForWithinASecondThoughAnotherWaits() {
    beginToWait(OTHER);
    waitInVain(LENGTH);
    assertThat(frames.granted(2)).isNull();
    assertThat(newFrames.count()).as("announced, and given back").isEqualTo(3);
    waitInVain(LENGTH);
    assertThat(frames.granted(3)).isNull();
    nowNs += LargeFrames.WANTED_NS - 1;
    assertThat(frames.tryTakeGrant(LENGTH)).as("has come back before").isEqualTo(3);
    waitInVain(LENGTH);
    waitInVain(LENGTH);
    assertThat(frames.granted(4)).isNull();
    nowNs += LargeFrames.WANTED_NS;
    assertThat(newFrames.count()).as("announced").isEqualTo(2);
    beginToWait(THIRD);
    assertThat(newFrames.count()).as("its own, and the grant that lay").isEqualTo(2);
  }

  /** It is told again if there was no heap; who else waits for such a length waits still. */
  @Test
  void shouldEndANoticeOnceThoughItIsToldTwice() {
    frames.beginNotice(LENGTH);
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(LargeFrames.NO_GRANT);
    noHeap = true;
    assertThatThrownBy(() -> frames.endNotice(LENGTH, true)).isInstanceOf(OutOfMemoryError.class);
    noHeap = false;
    frames.beginAwait(LENGTH);
    assertThat(frames.endNotice(LENGTH, true)).isFalse();
    grantNext();
    beginToWait(OTHER);
    assertThat(newFrames.count()).as("announced").isEqualTo(2);
    nowNs += LargeFrames.LEFT_NS;
    for (int look = 0; look < 2; look++) {
      boolean _ = frames.giveBackAhead();
    }
    assertThat(newFrames.count()).as("none given back").isZero();
  }

  @Test
  void shouldLeaveToTheTimerWhatThereIsNoHeapToGiveBack() {
    beginToWait(LENGTH);
    beginToWait(OTHER);
    grantNext();
    assertThat(newFrames.count()).as("announced").isEqualTo(2);
    noHeap = true;
    boolean _ = frames.endAwait(LENGTH, false);
    noHeap = false;
    nowNs += LargeFrames.LEFT_NS;
    for (int look = 0; look < 2; look++) {
      boolean _ = frames.giveBackAhead();
    }
    assertThat(newFrames.count()).isOne();
  }

  /** Else it would be kept as what somebody waits for, until the connection ends. */
  @Test
  void shouldEndAWaitForWhichThereIsNoHeap() throws ReflectiveOperationException {
    MutantLoader library =
        new MutantLoader(
            Map.of(
                LargeFrames.class.getName(),
                MutantLoader.method("find", LeftGrantsTest::lookBefore)));
    assertThat(library.run(EndAwaitScenario.class)).isTrue();
  }

  private static boolean lookBefore(CodeBuilder code, CodeElement element) {
    boolean found =
        element instanceof InvokeInstruction call && call.name().equalsString("iterator");
    if (found) {
      code.invokestatic(
          ClassDesc.of(EndAwaitScenario.class.getName()),
          "look",
          MethodTypeDesc.of(ConstantDescs.CD_void));
      code.with(element);
    }
    return found;
  }

  /** As that of one who may not wait, and tries again soon. */
  @Test
  void shouldKeepWhatIsAskedForWhenOneThatHasWaitedHasSent() {
    beginToWait(LENGTH);
    grantNext();
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(announced);
    assertThat(frames.tryTakeGrant(LENGTH)).as("of another one").isEqualTo(LargeFrames.NO_GRANT);
    beginToWait(OTHER);
    assertThat(frames.endAwait(LENGTH, true)).isFalse();
    assertThat(newFrames.count()).as("announced").isEqualTo(3);
    grantNext();
    assertThat(newFrames.count()).as("given back").isZero();
    assertThat(frames.tryTakeGrant(LENGTH)).isEqualTo(announced);
  }
}
