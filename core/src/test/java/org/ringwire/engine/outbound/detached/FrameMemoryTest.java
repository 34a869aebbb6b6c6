package org.ringwire.engine.outbound.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MemoryLimitException;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;

/** What long frames may take, and what becomes of those that are too much. */
@ExtendWith(NodeWatcher.class)
class FrameMemoryTest {

  private static final long LENGTH = 1 << 20;
  private static final long LONGER = 3 << 20;

  private final ReceiveBufferPool buffers = new ReceiveBufferPool(0);
  private final LargeFrames frames = new LargeFrames(buffers, new ControlQueue(), LENGTH);

  @AfterEach
  void close() {
    frames.close();
    buffers.close();
  }

  /** All have found room before, and each is granted; the process may be in a container. */
  @Test
  void shouldCommitNoMoreThanTheCapForFramesThatFoundRoomAtTheSameTime() {
    MemoryBudget.limit(MemoryBudget.committed() + LENGTH + 64);
    try {
      FrameMemory.check(LENGTH);
      DetachedFrame first =
          new DetachedFrame(frames, frames.memory().acquire(LENGTH), LENGTH, true);
      assertThatThrownBy(() -> frames.memory().acquire(LENGTH))
          .isInstanceOf(MemoryLimitException.class);
      assertThatThrownBy(() -> frames.memory().acquireResponse(LENGTH))
          .isInstanceOf(MemoryLimitException.class);
      assertThat(MemoryBudget.committed()).isLessThanOrEqualTo(MemoryBudget.limit());
      failure().release(); // what ends a request is never refused
      first.release();
      new DetachedFrame(frames, frames.memory().acquireResponse(LENGTH), LENGTH, false).release();
      assertThat(frames.inFlightBytes()).isZero();
    } finally {
      MemoryBudget.limit(Long.MAX_VALUE);
    }
  }

  private DetachedFrame failure() {
    return new DetachedFrame(frames, frames.memory().acquireFailure(64), 64, false);
  }

  /** While it is under way other requests of the peer may fail, which is no fault of that. */
  @Test
  void shouldNotTakeOneLongResponseForMoreThanAPeerMayLeaveUnread() {
    DetachedFrame single =
        new DetachedFrame(frames, frames.memory().acquireResponse(LONGER), LONGER, false);
    DetachedFrame failure = failure();
    assertThatThrownBy(() -> frames.memory().acquireResponse(LENGTH))
        .isInstanceOf(MemoryLimitException.class);
    assertThat(frames.memory().hasTooManyResponses()).isFalse();
    for (long bytes = 0; bytes <= LENGTH / 8; bytes += 64) {
      frames.memory().acquireFailure(64).release();
    }
    assertThat(frames.memory().hasTooManyResponses()).as("failures that it does not read").isTrue();
    single.release();
    failure.release();
    assertThat(frames.memory().hasTooManyResponses()).isFalse();
    for (long bytes = 0; bytes <= LENGTH / 8; bytes += 64) {
      frames.memory().responseReleased(64);
    }
    new DetachedFrame(frames, frames.memory().acquireResponse(LENGTH), LENGTH, false).release();
    assertThat(frames.inFlightBytes()).isZero();
  }
}
