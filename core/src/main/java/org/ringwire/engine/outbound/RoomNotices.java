package org.ringwire.engine.outbound;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.ringwire.engine.outbound.detached.LargeFrames;
import org.ringwire.engine.outbound.room.OutboundSeal;
import org.ringwire.engine.outbound.room.SendWindow;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.ring.OutboundRing;
import org.ringwire.wire.FrameLayout;

/**
 * What one sender has refused without waiting, and who is told when that may be accepted. Any
 * thread; what was refused a thread itself is in its {@link SendContext}, under the number of this.
 */
final class RoomNotices {

  private static final int DESCRIPTOR_LENGTH = OutboundStream.DESCRIPTOR_LENGTH;

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final OutboundRing ring;
  private final OutboundPipe pipe;
  private final SendWindow window;
  private final SpaceWaiters waiters;
  private final LargeFrames largeFrames;
  private final OutboundSeal seal;

  /**
   * Bytes that the frame occupies that was refused last without waiting; negative those of the
   * announcement of its type, which are exempt from credit, if that found no room.
   */
  private volatile long refused = FrameLayout.ALIGNMENT;

  private final long number = NUMBERS.incrementAndGet(); // which a thread may keep for long

  RoomNotices(OutboundParts parts, OutboundSeal seal) {
    ring = parts.ring();
    pipe = parts.pipe();
    window = parts.window();
    waiters = parts.waiters();
    largeFrames = parts.largeFrames();
    this.seal = seal;
  }

  /**
   * A message was refused.
   *
   * @param needed bytes that its frame occupies; negative those of the announcement of its type
   */
  void refused(SendContext context, long needed) {
    refused = needed;
    context.refused(number, needed);
  }

  /** Whoever only tries again has nobody else to do it: nothing was committed, nobody waits. */
  void askForCompletions() {
    pipe.awaitCompletions(pipe.restartsAhead());
  }

  /** {@link MessageSender#tryNotify}. */
  boolean tryNotify(BooleanSupplier unwanted, Runnable action) {
    pipe.drain();
    long restarts = pipe.restartsAhead();
    long last = refused; // as of now: what others are refused later is not waited for here
    long needed = Math.min(last, SendContext.current().takeRefused(number, last)); // nor before
    boolean needsGrant = needed > window.creditedFrameLimit() && window.granted() > 0;
    boolean noticed =
        needsGrant
            ? tryNotifyOfGrant(needed, unwanted, action)
            : tryNotify(needed, unwanted, action);
    if (noticed) {
      pipe.awaitCompletions(restarts);
    }
    return noticed;
  }

  /** No lambda, as the next one: one that finds no heap where it comes first is lost for ever. */
  private record Due(RoomNotices notices, long needed, BooleanSupplier unwanted)
      implements BooleanSupplier {

    @Override
    public boolean getAsBoolean() {
      return unwanted.getAsBoolean() || notices.mayAccept(needed);
    }
  }

  private record Told(RoomNotices notices, long needed, BooleanSupplier unwanted, Runnable action)
      implements Runnable {

    @Override
    public void run() {
      boolean comes = !unwanted.getAsBoolean(); // before that is so because it is told
      action.run();
      notices.ended(needed, comes); // last: told again if there was no heap
    }
  }

  private boolean tryNotify(long needed, BooleanSupplier unwanted, Runnable action) {
    return waiters.tryNotify(new SpaceWaiters.Notice(new Due(this, needed, unwanted), action));
  }

  /** What is announced for it is taken by no other one until it has been told, and has come. */
  private boolean tryNotifyOfGrant(long needed, BooleanSupplier unwanted, Runnable action) {
    largeFrames.beginNotice(needed);
    boolean noticed = false;
    try {
      noticed = tryNotify(needed, unwanted, new Told(this, needed, unwanted, action));
    } finally {
      if (!noticed) {
        ended(needed, true);
      }
    }
    pipe.drain(); // what was announced
    return noticed;
  }

  private void ended(long needed, boolean comes) {
    if (largeFrames.endNotice(needed, comes)) {
      try {
        pipe.drain();
      } catch (OutOfMemoryError e) {
        // of those who are told of room by that, which are told again; this one is not
      }
    }
  }

  /**
   * Whether a frame may be accepted now; no means that {@link SpaceWaiters#signal} is to come.
   *
   * @param occupied as {@link #refused} says it
   */
  boolean mayAccept(long occupied) {
    long granted = window.granted();
    boolean ending = seal.endsMessages();
    if (ending || granted == 0) {
      return ending;
    }
    if (occupied < 0) {
      return ring.hasRoom(0, -occupied, granted);
    }
    long limit = window.creditedFrameLimit();
    if (occupied > limit) {
      return largeFrames.mayTakeGrant(occupied) && ring.hasRoom(0, DESCRIPTOR_LENGTH, granted);
    }
    return ring.hasRoom(
        occupied, occupied > ring.maxFrameLength() ? DESCRIPTOR_LENGTH : occupied, granted);
  }
}
