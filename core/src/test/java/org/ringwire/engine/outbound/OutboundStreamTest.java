package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.detached.DetachedFrame;
import org.ringwire.engine.outbound.detached.LargeFrames;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;

/** Frames that are kept beside the ring, as threads see them that do not write. */
@ExtendWith(NodeWatcher.class)
class OutboundStreamTest {

  private static final long LENGTH = 64;

  private final NativeMemory.Scope scope = NativeMemory.open("test");
  private final ReceiveBufferPool buffers = new ReceiveBufferPool(0);
  private final ControlQueue control = new ControlQueue();
  private final LargeFrames largeFrames = new LargeFrames(buffers, control, Long.MAX_VALUE);
  private final OutboundRing ring = OutboundRing.over(scope.allocate(1 << 20, 128));
  private final OutboundStream stream = new OutboundStream(control, () -> new byte[0], buffers);
  private final ThrottledLink link = new ThrottledLink();
  private final OutboundPipe pipe = SinkLink.pipe(stream);

  /** Takes so many bytes, then none until somebody allows more. */
  private static final class ThrottledLink extends SinkLink {
    private long allowed;

    @Override
    protected long take(long bytes) {
      long taken = Math.min(bytes, allowed);
      allowed -= taken;
      return taken;
    }
  }

  @BeforeEach
  void open() {
    stream.ring(ring);
    pipe.ring(ring);
    pipe.open(link);
  }

  @AfterEach
  void close() {
    stream.close();
    buffers.close();
    scope.close();
  }

  private void keepMessage() {
    long position = ring.tryClaimUncharged(OutboundStream.DESCRIPTOR_LENGTH);
    assertThat(position).isNotNegative();
    stream.keep(
        ring,
        position,
        new DetachedFrame(largeFrames, largeFrames.memory().acquire(LENGTH), LENGTH, true));
  }

  @Test
  void shouldOweNothingForAFrameWhosePlaceCannotBeCommitted() {
    long position = ring.tryClaimUncharged(OutboundStream.DESCRIPTOR_LENGTH);
    DetachedFrame frame =
        new DetachedFrame(largeFrames, largeFrames.memory().acquire(LENGTH), LENGTH, true);
    scope.close(); // and with it the ring
    assertThatThrownBy(() -> stream.keep(ring, position, frame))
        .isInstanceOf(IllegalStateException.class);
    assertThat(largeFrames.inFlightBytes()).isZero();
    assertThat(stream.unofferedBytes()).isZero();
    assertThat(stream.unsentDetachedMessages()).isZero();
    assertThat(stream.hasUnsent()).isFalse();
    assertThat(buffers.outstanding()).isZero();
  }

  @Test
  void shouldCountAFrameBesideTheRingFromItsFirstByteAndBeDrainedAfterItsLast() {
    keepMessage();
    pipe.drain();
    assertThat(stream.detachedMessages()).isZero();
    assertThat(ring.isEmpty()).as("the descriptor has left the ring").isTrue();
    assertThat(pipe.isDrained()).isFalse();

    link.allowed = 8;
    pipe.writable();
    assertThat(stream.detachedMessages()).isEqualTo(1);
    assertThat(pipe.isDrained()).isFalse();

    link.allowed = LENGTH;
    pipe.writable();
    assertThat(stream.detachedMessages()).isEqualTo(1);
    assertThat(pipe.isDrained()).isTrue();
  }

  /** Who ends the link then would take from the peer what it was told last. */
  @Test
  void shouldNotBeDrainedBeforeAControlFrameIsTakenToItsLastByte() {
    byte[] frame = ControlFrames.close(CloseReason.NODE_CLOSING, "bye");
    assertThat(control.add(frame)).isTrue();
    pipe.drain();
    assertThat(control.isEmpty()).as("the frame has left its queue").isTrue();
    assertThat(pipe.isDrained()).isFalse();

    link.allowed = 8;
    pipe.writable();
    assertThat(pipe.isDrained()).isFalse();

    link.allowed = frame.length;
    pipe.writable();
    assertThat(pipe.isDrained()).isTrue();
  }

  /** A thread that was about to answer when the link ended comes too late. */
  @Test
  void shouldReleaseFramesThatComeAfterItsEnd() {
    stream.close();
    stream.overflow(
        new DetachedFrame(largeFrames, largeFrames.memory().acquire(LENGTH), LENGTH, false));
    assertThat(buffers.outstanding()).isZero();
    assertThatThrownBy(this::keepMessage).isInstanceOf(IllegalStateException.class);
    assertThat(buffers.outstanding()).isZero();
    assertThat(largeFrames.inFlightBytes()).isZero();
  }

  /** As it is without heap for a place in the queue. */
  @Test
  void shouldOweNothingForAFrameThatItCannotKeep() {
    assertThatThrownBy(() -> stream.overflow(null)).isInstanceOf(NullPointerException.class);
    assertThat(stream.hasUnsent()).isFalse();
    assertThat(pipe.isDrained()).isTrue();
  }

  private void sendMessage(int length) {
    long position = ring.tryClaim(length, Long.MAX_VALUE);
    ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, length));
  }

  @Test
  void shouldEndAnOfferAtTheLastFrameThatTheMediumDoesNotCut() {
    for (int message = 0; message < 5; message++) {
      sendMessage(64);
    }
    OutboundRanges ranges = new OutboundRanges(16, 200);
    stream.begin(true);

    assertThat(stream.next(ranges)).isEqualTo(3 * 64);
    stream.sent(3 * 64);
    assertThat(stream.next(ranges)).isEqualTo(2 * 64);
  }

  @Test
  void shouldCountWhatPrecedesTheRingAsPartOfAnOffer() {
    control.add(new byte[40]);
    for (int message = 0; message < 3; message++) {
      sendMessage(64);
    }
    stream.begin(true);

    assertThat(stream.next(new OutboundRanges(16, 200))).isEqualTo(40 + 2 * 64);
  }

  @Test
  void shouldOfferAFrameWholeThatTheMediumCuts() {
    sendMessage(256);
    sendMessage(64);
    stream.begin(true);

    assertThat(stream.next(new OutboundRanges(16, 200))).isEqualTo(256);
  }

  /** However many others are before that one: the peer takes no data before. */
  @Test
  void shouldOfferNothingOfARingBeforeTheControlFrameThatItIsBehind() {
    OutboundStream late = new OutboundStream(control, () -> new byte[0], buffers);
    OutboundRanges ranges = new OutboundRanges(4);
    byte[] others = new byte[4 << 10];
    byte[] frame = ControlFrames.share();
    control.add(others);
    control.add(others);
    late.ringBehind(frame, ring);
    sendMessage(64);
    late.begin(true);

    assertThat(late.next(ranges)).isEqualTo(others.length);
    late.sentAndCompleted(others.length);
    control.add(frame);
    assertThat(late.next(ranges)).isEqualTo(others.length);
    late.sentAndCompleted(others.length);
    assertThat(late.next(ranges)).isEqualTo(frame.length + 64);
    late.sentAndCompleted(frame.length + 64);
    assertThat(ring.isEmpty()).isTrue();
    late.close();
  }

  @Test
  void shouldKeepTheOrderOfWhatAMediumCopiesAndWhatItReadsLater() {
    OutboundRanges ranges = new OutboundRanges(4);
    stream.begin(true);
    sendMessage(64);
    assertThat(stream.next(ranges)).isEqualTo(64);
    stream.sent(64); // the medium reads it where it is

    sendMessage(32);
    assertThat(stream.next(ranges)).isEqualTo(32);
    stream.sentAndCompleted(32);
    assertThat(stream.bytesCompleted()).isEqualTo(32);
    fillRing();
    assertThat(ring.hasRoom(0, 32, Long.MAX_VALUE)).isTrue();
    assertThat(ring.hasRoom(0, 40, Long.MAX_VALUE)).as("may still be read").isFalse();

    stream.completed(64);
    assertThat(stream.bytesCompleted()).isEqualTo(stream.bytesSent());
    assertThat(ring.hasRoom(0, 64 + 32, Long.MAX_VALUE)).isTrue();
    assertThat(stream.next(ranges)).as("passes what was given up").isZero();

    sendMessage(16);
    assertThat(stream.next(ranges)).isEqualTo(16);
    stream.sentAndCompleted(16); // nothing is before it now
    assertThat(stream.bytesCompleted()).isEqualTo(112);
  }

  /** Claims all that is left of the first lap, and gives it up. */
  private void fillRing() {
    while (ring.claimed() < ring.capacity()) {
      int length = (int) Math.min(ring.maxFrameLength(), ring.capacity() - ring.claimed());
      ring.abortUncharged(ring.tryClaimUncharged(length), length);
    }
  }

  @Test
  void shouldBeLookedAtByOthersWhileItWrites() throws Exception {
    link.allowed = Long.MAX_VALUE;
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Long> seen =
        CompletableFuture.supplyAsync(() -> {
          long last = 0;
          while (!done.get()) {
            long now = stream.detachedMessages();
            assertThat(now).isGreaterThanOrEqualTo(last);
            pipe.isDrained();
            last = now;
          }
          return last;
        });
    int frames = 10_000;
    for (int frame = 0; frame < frames && !seen.isDone(); frame++) {
      keepMessage();
      pipe.drain();
    }
    done.set(true);
    assertThat(seen.get(30, TimeUnit.SECONDS)).isBetween(0L, (long) frames);
    assertThat(stream.detachedMessages()).isEqualTo(frames);
    assertThat(pipe.isDrained()).isTrue();
  }
}
