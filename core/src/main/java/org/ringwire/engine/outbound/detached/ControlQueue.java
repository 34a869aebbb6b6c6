package org.ringwire.engine.outbound.detached;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;

/**
 * Control frames that wait for a link: room that data cannot take (design rule 1). Any thread adds,
 * the holder of the link's consumer role takes.
 *
 * <p>What a peer can provoke is bounded by construction: credit and pongs are single slots of which
 * only the latest matters, and other frames are refused beyond a limit that only a peer which does
 * not read can reach; its link is then closed.
 *
 * <p>The first frame of a link is its handshake's: HELLO, WELCOME or REFUSE, the last two perhaps
 * after a CHALLENGE. Credit that becomes due before waits for it, also when another thread asks for
 * it while the answer is still on its way.
 */
public final class ControlQueue {

  private static final int LIMIT = 4096;

  private final ConcurrentLinkedQueue<byte[]> frames = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();
  private volatile boolean begun; // written by the consumer
  private volatile boolean creditDue;
  private volatile boolean pongDue;
  private volatile long pongToken;

  /** Adds a frame; false if the peer has not read far too many already. */
  public boolean add(byte[] frame) {
    if (count.incrementAndGet() > LIMIT) {
      count.decrementAndGet();
      return false;
    }
    boolean added = false;
    try {
      added = frames.add(frame);
    } finally {
      if (!added) { // there is no heap
        count.decrementAndGet();
      }
    }
    return true;
  }

  /** Asks for a CREDIT frame with the position of the moment when it is written. */
  public void requestCredit() {
    creditDue = true;
  }

  /** Asks for a PONG; one that was not written yet is replaced. */
  public void requestPong(long token) {
    pongToken = token;
    pongDue = true;
  }

  /** Volatile reads: the second look of the drain depends on them. */
  public boolean isEmpty() {
    return frames.isEmpty() && (!begun || (!creditDue && !pongDue));
  }

  /** The next frame, or null; consumer only. */
  public byte @Nullable [] poll(Supplier<byte[]> creditFrame) {
    if (begun && creditDue) {
      creditDue = false; // before the positions are read: a later request is never lost
      return creditFrame.get();
    }
    if (begun && pongDue) {
      pongDue = false;
      return ControlFrames.pong(pongToken);
    }
    byte[] frame = frames.poll();
    if (frame != null) {
      if (!begun) {
        begun = !isChallenge(frame);
      }
      count.decrementAndGet();
    }
    return frame;
  }

  /** The peer still waits for an answer to its HELLO, and takes nothing else before it. */
  private static boolean isChallenge(byte[] frame) {
    long header = FrameLayout.readHeader(MemorySegment.ofArray(frame), 0);
    return FrameLayout.kind(header) == FrameLayout.CHALLENGE;
  }
}
