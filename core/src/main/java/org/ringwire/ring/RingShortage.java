package org.ringwire.ring;

import static org.ringwire.ring.RingLayout.CURSOR;
import static org.ringwire.ring.RingLayout.RELEASED;
import static org.ringwire.ring.RingLayout.RESTARTING;
import static org.ringwire.ring.RingLayout.SETTLING;
import static org.ringwire.ring.RingLayout.TAIL;
import static org.ringwire.ring.RingLayout.UNCHARGED;

import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;

/**
 * Whether an {@link OutboundRing} really lacks what a claim has not found in it. Any thread; asked
 * only by who is about to be refused, or wants to know whether it would be.
 *
 * <p>A claim reads several cursors, one after the other, while others move them. Between the tail
 * and UNCHARGED, or the tail and RELEASED, it might find too little credit or room although there
 * is enough, and nobody would ever wake its caller. Whoever is in between is therefore counted in
 * {@code SETTLING}, or has set {@code RESTARTING}, from before it moves the tail: the answer here
 * counts when nobody is. A ring that rests lacks everything; a claim that asks ends the rest.
 */
final class RingShortage {

  private final long[] cursors;
  private final long capacity;
  private final long mask;
  private final @Nullable RingRest rest; // null if the ring never rests

  RingShortage(long[] cursors, long capacity, @Nullable RingRest rest) {
    this.cursors = cursors;
    this.capacity = capacity;
    mask = capacity - 1;
    this.rest = rest;
  }

  /** Whether credit is really lacking: decided when nobody is between tail and UNCHARGED. */
  boolean lacksCredit(long bytes, long granted) {
    if (rest != null && rest.end()) {
      return false;
    }
    for (int round = 0; ; round++) {
      long tail = (long) CURSOR.getVolatile(cursors, TAIL);
      boolean settled = (long) CURSOR.getVolatile(cursors, SETTLING) == 0;
      if (tail + bytes - (long) CURSOR.getVolatile(cursors, UNCHARGED) <= granted) {
        return false;
      }
      if (settled) {
        return true;
      }
      Pause.colliding(round);
    }
  }

  /** Whether room is really lacking: decided when no restart is half done. */
  boolean lacksRoom(long end) {
    if (rest != null && rest.end()) {
      return false;
    }
    for (int round = 0; (long) CURSOR.getVolatile(cursors, RESTARTING) != 0; round++) {
      Pause.colliding(round);
    }
    return end - (long) CURSOR.getVolatile(cursors, RELEASED) > capacity;
  }

  /** {@link OutboundRing#hasRoom}. */
  boolean hasRoom(long charged, long occupied, long granted) {
    if (RingLayout.isResting(cursors)) {
      return rest == null || rest.canEnd(); // then a claim ends it
    }
    if (lacksCredit(charged, granted)) {
      return false;
    }
    long tail = (long) CURSOR.getVolatile(cursors, TAIL);
    long end = RingLayout.start(tail, occupied, mask) + occupied;
    return end - (long) CURSOR.getVolatile(cursors, RELEASED) <= capacity || !lacksRoom(end);
  }
}
