package org.ringwire.engine.outbound.encoding;

import org.ringwire.ring.RingConsumer;

/**
 * Watches the frame that all others wait for: the oldest in the ring that its sender has claimed
 * and not finished. A codec that takes long is told of; one that does not come back at all, or a
 * thread that had no stack left to give its claim up, leaves a link on which nothing moves, which
 * the timer finds by {@link #isLost}.
 *
 * <p>By the holder of the consumer's role only.
 */
public final class OpenClaimWatch {

  private static final int LOOKS = 4;

  private final SlowEncoders slowEncoders;
  private long position = -1;
  private long sinceNs;
  private int offences; // 1 reported as too long, 2 as clearly too long
  private int looks; // of the timer

  public OpenClaimWatch(SlowEncoders slowEncoders) {
    this.slowEncoders = slowEncoders;
  }

  /**
   * What was found.
   *
   * @param open position of the frame, or -1
   */
  public void found(long open, RingConsumer consumer, String remote, long nowNs) {
    if (open < 0 || open != position) {
      position = open;
      sinceNs = nowNs;
      offences = 0;
      looks = 0;
      return;
    }
    long openNs = nowNs - sinceNs;
    if (offences == 0 && slowEncoders.isTooLong(openNs)) {
      offences = 1;
      slowEncoders.add(consumer.openType(), remote, false, nowNs);
    } else if (offences == 1 && slowEncoders.isClearlyTooLong(openNs)) {
      offences = 2;
      slowEncoders.add(consumer.openType(), remote, true, nowNs);
    }
  }

  /**
   * Timer, once per look: whether what was found last has been open for so long that it never will
   * be finished. In several looks, so that a pause of the process as a whole is not held against
   * who was encoding.
   */
  public boolean isLost(long nowNs) {
    return position >= 0 && ++looks >= LOOKS && slowEncoders.isLost(nowNs - sinceNs);
  }
}
