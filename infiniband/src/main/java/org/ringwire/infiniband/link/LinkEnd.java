package org.ringwire.infiniband.link;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.ringwire.idle.HeapRetry;
import org.ringwire.transport.support.TransportLog;

/**
 * How a link ends, step by step, from when nobody is inside any more. What was written before is
 * delivered if the peer takes it, and then a farewell says that this is the orderly end. Otherwise,
 * or if that takes too long, nothing more is sent, and the device gives back what it has. Only then
 * is given up what the link is made of, and the handler has heard of the end.
 *
 * <p>What all links receive into is given back last, and nobody waits for that but the next links:
 * the handler has heard of the end before, and a transport that closes does not need it any more.
 *
 * <p>When a transport closes, all of its links end at once, with little time each, since nobody
 * knows which peers are still there. But their farewells take turns at the device: as long as some
 * arrive, nobody is late.
 *
 * <p>Used by one thread of the engine, which drives the ends of all links ({@link TimedLinks}).
 */
final class LinkEnd {

  private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long LINGER_AT_CLOSE_NS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final long FLUSH_NS = TimeUnit.SECONDS.toNanos(1);
  private static final TransportLog LOG = TransportLog.of(LinkEnd.class);

  private enum Step {
    /** The link lives, or is in the making. */
    NONE,
    /** What was written is being delivered. */
    DRAINING,
    /** The farewell is being delivered. */
    FAREWELL,
    /** The device gives back what it has of the link's memory. */
    FLUSHING,
    /** The device gives back what it has of memory that others will receive into. */
    RETURNING,
    /** Over. */
    ENDED
  }

  private final LinkLife link;
  private final LinkData data;
  private final LinkRegister<?> register;
  private final Duration connectTimeout;
  private Step step = Step.NONE;
  private final Runnable tellEnd; // made before, as there may be no heap for it
  private boolean told;
  private boolean watched;
  private long deadlineNs;

  /** An attempt begins, whose time is limited. */
  LinkEnd(LinkLife link, LinkData data, LinkRegister<?> register, Duration connectTimeout) {
    this.link = link;
    tellEnd = link::tellEnd;
    this.data = data;
    this.register = register;
    this.connectTimeout = connectTimeout;
    deadlineNs = System.nanoTime() + connectTimeout.toNanos();
  }

  /** Whether it is over. */
  boolean isOver() {
    return step == Step.ENDED;
  }

  /** Notes whether its time limit is being watched; returns whether that is a change. */
  boolean watch(boolean watching) {
    boolean changes = watched != watching;
    watched = watching;
    return changes;
  }

  /** Goes as far as it can; called after what may make a difference, and now and then. */
  void proceed(long nowNs) {
    if (step == Step.NONE && !link.isOpened() && nowNs - deadlineNs >= 0) {
      String time = connectTimeout.toMillis() + " ms";
      link.fail(new SocketTimeoutException("no answer within " + time));
    }
    if (step == Step.ENDED || !link.isClosed()) {
      return;
    }
    if (!data.isConnected()) {
      finish();
      return;
    }
    if (step == Step.NONE) {
      step = Step.DRAINING;
      deadlineNs = nowNs + (register.isClosed() ? LINGER_AT_CLOSE_NS : LINGER_NS);
    }
    boolean late = nowNs - deadlineNs >= 0 && !isInTurn(nowNs);
    if (step == Step.DRAINING && data.isDrained() && !link.endsAbruptly()) {
      tell();
      sayFarewell(nowNs);
    } else if (step == Step.FAREWELL && data.isDrained()) {
      register.endedInOrder(nowNs);
      awaitReturn(nowNs);
    } else if (step == Step.RETURNING) {
      if (late || register.isClosed() || data.isReceivingOver()) {
        finish();
      }
    } else if (step != Step.FLUSHING && (late || link.endsAbruptly())) {
      stop(nowNs);
    } else if (step == Step.FLUSHING && data.isGivenBack(late)) {
      flushed(nowNs, late);
    }
  }

  /** Whether others of a transport that closes have just ended in order. */
  private boolean isInTurn(long nowNs) {
    return step.compareTo(Step.FLUSHING) < 0
        && register.isClosed()
        && nowNs - register.endedInOrderNs() < LINGER_AT_CLOSE_NS;
  }

  private void sayFarewell(long nowNs) {
    switch (data.sayFarewell()) {
      case SAID -> step = Step.FAREWELL;
      case LATER -> {}
      case IMPOSSIBLE -> stop(nowNs); // the peer learns it from the connection over TCP
    }
  }

  private void stop(long nowNs) {
    step = Step.FLUSHING;
    deadlineNs = nowNs + FLUSH_NS;
    data.stop();
    if (data.isGivenBack(false)) {
      flushed(nowNs, false);
    }
  }

  private void flushed(long nowNs, boolean late) {
    if (late) {
      finish(); // the device may use the memory until then, so the handler hears of it after that
    } else {
      awaitReturn(nowNs);
    }
  }

  private void awaitReturn(long nowNs) {
    if (register.isClosed() || data.isReceivingOver()) {
      finish();
      return;
    }
    step = Step.RETURNING;
    deadlineNs = nowNs + FLUSH_NS;
    tell();
    link.setUp().close(); // the peer need not wait, either
  }

  /**
   * Ends at once, because the transport does not wait any longer. If somebody is inside, what that
   * one may use is left as it is. Whatever fails, the handler hears of it, and other links end,
   * too.
   */
  void force() {
    if (step == Step.ENDED) {
      return;
    }
    boolean isUsed = !link.isClosed();
    try {
      data.giveUp(isUsed);
      if (!isUsed) {
        data.release();
      }
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "cannot free what a link has: " + link.remote(), e);
    } finally {
      over();
    }
  }

  private void finish() {
    boolean again = false;
    try {
      data.release();
    } catch (OutOfMemoryError e) {
      again = true; // else the device would have what nobody knows of any more
      throw e;
    } finally {
      if (!again) {
        over(); // whatever else fails is not tried again
      }
    }
  }

  private void over() {
    step = Step.ENDED;
    try {
      tell();
    } finally {
      try {
        link.setUp().close();
      } finally {
        register.remove(link.link());
      }
    }
  }

  private void tell() {
    if (told) {
      return;
    }
    told = true;
    try {
      HeapRetry.run(this, tellEnd); // nobody would tell it again
    } catch (Throwable e) {
      LOG.log(
          System.Logger.Level.ERROR, "handler failed at the end of a link: " + link.remote(), e);
    }
  }
}
