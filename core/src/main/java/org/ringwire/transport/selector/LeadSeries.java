package org.ringwire.transport.selector;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Leads in quick succession, none of which had to wait for input: who asks one request after the
 * other, and spins. To put the link to rest between two of them, and to take that back, would cost
 * each request a cache line that comes over from the peer's processor. So during a series leaders
 * leave that to the I/O thread, which looks every {@link LinkReader#TICK_NS} whether the series is
 * over.
 *
 * <p><em>Nothing is slept over.</em> A leader that leaves the link as it is gives the role back and
 * then looks at {@code attended}; the I/O thread takes {@code attended} back and then looks at the
 * role, to rest the link if it is free. Both are volatile: either the I/O thread finds the role
 * free, and rests the link, or the leader sees that nobody is going to, and asks for it.
 *
 * <p><em>The bound.</em> Input that comes after the last lead of a series is found within two
 * ticks, as on a link that the I/O thread does not watch ({@link LinkReader}); during a series the
 * next leader finds it, some microseconds later.
 */
final class LeadSeries {

  /** So many leads within a tick are a series. */
  static final int LEAST = 64;

  private static final VarHandle COUNT;

  static {
    try {
      COUNT = MethodHandles.lookup().findVarHandle(LeadSeries.class, "count", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile boolean attended; // written by the I/O thread
  private int count; // leads without waiting; written by the owner of the role
  private int countBegan; // the owner of the role only, as the next
  private long beganNs;
  private int countSeen; // the I/O thread only

  /**
   * A leader is about to give the role back, and has not waited; the owner of the role only.
   *
   * @param nowNs about the time
   * @return whether so many have come so fast that the I/O thread should be asked to {@link
   *     #attend}
   */
  boolean count(long nowNs) {
    int leads = count + 1;
    COUNT.setOpaque(this, leads); // read by isOver()
    if (leads - countBegan < LEAST) {
      return false;
    }
    boolean fast = nowNs - beganNs <= LinkReader.TICK_NS;
    countBegan = leads;
    beganNs = nowNs;
    return fast && !attended;
  }

  /** Whether the I/O thread is going to rest the link; any thread. */
  boolean isAttended() {
    return attended; // after the role was given back: pairs with isOver()
  }

  /** The I/O thread looks from now on, every tick: {@link #isOver}; it only. */
  void attend() {
    countSeen = (int) COUNT.getOpaque(this);
    attended = true;
  }

  /** Whether the series is over: then the I/O thread rests the link after this; it only. */
  boolean isOver() {
    int seen = (int) COUNT.getOpaque(this); // a late value ends the series, for a moment
    boolean over = seen - countSeen < LEAST;
    countSeen = seen;
    if (over) {
      attended = false; // volatile, before the role is read; pairs with isAttended()
    }
    return over;
  }
}
