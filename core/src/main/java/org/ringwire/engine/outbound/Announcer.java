package org.ringwire.engine.outbound;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongBinaryOperator;
import org.ringwire.SendStatus;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.outbound.detached.DetachedFrame;
import org.ringwire.engine.outbound.room.OutboundSeal;
import org.ringwire.ring.OutboundRing;
import org.ringwire.wire.FrameLayout;

/**
 * Tells the peer of a type before its first frame on the link (design rule 15). Any thread; who
 * finds a type announced comes after its announcement, see {@link AnnouncedTypes}.
 */
final class Announcer {

  /** Linked before a place is claimed: to link it takes heap. */
  private static final LongBinaryOperator LATER = Math::max;

  private final OutboundRing ring;
  private final OutboundStream stream;
  private final OutboundSeal seal;
  private final DetachedFrames detached;
  private final RingFrames ringFrames;
  private final AnnouncedTypes announced = new AnnouncedTypes();
  private final AnnouncedTypes beside = new AnnouncedTypes();
  private final AtomicLong lastEnd = new AtomicLong(); // in the ring

  Announcer(
      OutboundParts parts, OutboundSeal seal, DetachedFrames detached, RingFrames ringFrames) {
    ring = parts.ring();
    stream = parts.stream();
    this.seal = seal;
    this.detached = detached;
    this.ringFrames = ringFrames;
  }

  /** The handshake has told the peer of this type. */
  void add(int typeId) {
    announced.add(typeId);
  }

  boolean hasAnnounced(MessageType<?> type) {
    return announced.contains(type.id());
  }

  /** Bytes of the ring that the announcement of a type takes. */
  long occupied(MessageType<?> type) {
    int length = FrameEncoder.announcementOf(type).encode().length;
    return length <= ring.maxFrameLength()
        ? FrameLayout.occupied(length)
        : OutboundStream.DESCRIPTOR_LENGTH;
  }

  /**
   * Announces a type in the ring. Announcements are exempt from credit: the peer keeps them only
   * for types that it knows.
   *
   * @return ACCEPTED, BACK_PRESSURED or CLOSED
   */
  SendStatus announce(MessageType<?> type) {
    byte[] frame = FrameEncoder.announcementOf(type).encode();
    boolean fits = frame.length <= ring.maxFrameLength();
    DetachedFrame apart = fits ? null : detached.of(frame);
    int length = fits ? frame.length : OutboundStream.DESCRIPTOR_LENGTH;
    long position = ring.tryClaimUncharged(length);
    if (position < 0) {
      if (apart != null) {
        apart.release();
      }
      return seal.refusal();
    }
    lastEnd.accumulateAndGet(position + length, LATER); // before it is found announced
    if (apart != null) {
      detached.keep(position, apart);
    } else {
      ringFrames.put(position, frame);
    }
    announced.add(type.id());
    return SendStatus.ACCEPTED;
  }

  /**
   * Announces a type beside the ring, before a frame that goes there too and overtakes what is in
   * the ring; unless it has been announced there, or everything that announces has left the ring.
   */
  void announceBeside(MessageType<?> type) {
    int id = type.id();
    boolean sent = announced.contains(id) && ring.sentPosition() >= lastEnd.get();
    if (!sent && !beside.contains(id)) {
      stream.overflow(detached.of(FrameEncoder.announcementOf(type).encode()));
      beside.add(id); // after it was put there: who finds this comes behind it
    }
  }
}
