package org.ringwire.ring;

import static org.ringwire.ring.RingLayout.CURSOR;
import static org.ringwire.ring.RingLayout.TAIL;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * How a ring that is not used for a while gives its memory back, and takes some again with the next
 * claim (design rule 6). It costs claims that find memory nothing: a resting ring has {@code
 * RESTING} added to its tail, so that a claim fails for want of room or credit, and looks for the
 * reason here. Positions, and what depends on them, go on as if nothing had happened. It is safe
 * because nobody else is in the memory that goes:
 *
 * <ul>
 *   <li>Producers are in it between claim and commit, whose mark is their last access and is not in
 *       it ({@link FrameMarks}). Rest needs a tail that is sent and released, so that every claim
 *       was committed, and moves the tail by compare-and-set, so that no claim is made in between.
 *   <li>The consumer is in it while it holds the role, which who begins the rest holds. Afterwards
 *       it finds no marks where the ring begins, which is where a ring rests; who looks without the
 *       role looks at marks only.
 *   <li>The completer is in it until it has stored the RELEASED that rest asks for.
 * </ul>
 *
 * <p>Who ends the rest writes the fields with the new memory before it takes {@code RESTING} away.
 * A producer reads them after its claim, which has read the tail without it; the consumer and the
 * completer after they have read a mark that was made after that claim, or, in the second look,
 * after the fence that pairs with that of who committed. Beginnings and ends exclude each other by
 * the monitor of the memory's source.
 */
final class RingRest {

  private final OutboundRing ring;
  private final RingMemory source;
  private final long[] cursors;

  RingRest(OutboundRing ring, RingMemory source, long[] cursors) {
    this.ring = ring;
    this.source = source;
    this.cursors = cursors;
  }

  /** {@link OutboundRing#rest}. */
  NativeMemory.@Nullable Scope begin() {
    synchronized (source) {
      RingConsumer consumer = ring.consumer();
      if (ring.isResting() || !consumer.rewind()) {
        return null;
      }
      long tail = consumer.sent();
      if (!CURSOR.compareAndSet(cursors, TAIL, tail, tail + RingLayout.RESTING)) {
        return null;
      }
      ring.use(RingMemory.NOTHING, FrameMarks.NONE);
      return source.giveBack();
    }
  }

  /** Whether there is memory to go on with; any thread. */
  boolean canEnd() {
    return source.isAvailable();
  }

  /** By a claim that fails: whether it was because the ring rested; then it does so no more. */
  boolean end() {
    if (!ring.isResting()) {
      return false;
    }
    synchronized (source) {
      long tail = (long) CURSOR.getVolatile(cursors, TAIL);
      if (tail >= RingLayout.SEALED) {
        return false;
      }
      if ((tail & RingLayout.RESTING) != 0) {
        MemorySegment fresh = source.take();
        if (fresh == null) {
          return false;
        }
        use(fresh); // before the tail says so: pairs with the compare-and-set of a claim
        return CURSOR.compareAndSet(cursors, TAIL, tail, tail - RingLayout.RESTING); // or sealed
      }
      return true;
    }
  }

  private void use(MemorySegment fresh) {
    boolean used = false;
    try {
      ring.use(fresh, new FrameMarks(ring.capacity()));
      used = true;
    } finally {
      NativeMemory.Scope unused = used ? null : source.giveBack(); // there is no heap for the marks
      if (unused != null) {
        unused.close();
      }
    }
  }

  /** {@link OutboundRing#free}. */
  void free() {
    if (source.isClosed()) {
      return; // there was no heap for all of it, and it is tried again
    }
    RingConsumer consumer = ring.consumer();
    boolean committed = consumer.isCommitted();
    if (!committed) {
      try (NativeMemory.Scope dead = NativeMemory.open("memory of an abandoned ring")) {
        ring.abandon(dead.allocate(ring.capacity(), Long.BYTES));
      }
    }
    consumer.use(RingMemory.NOTHING, FrameMarks.NONE);
    if (committed) {
      source.close();
    } else {
      source.abandon();
    }
  }
}
