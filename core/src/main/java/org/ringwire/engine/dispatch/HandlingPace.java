package org.ringwire.engine.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How long the pooled handlers of a link take, and so how many of its messages go to one worker
 * before the next one gets some: many of those that are handled quickly, whose worker finds them
 * together in its cache; one by one those that take their time, so that each thread of the pool has
 * one.
 *
 * <p>Workers say what a batch has taken, the reading thread asks. The number is opaque and written
 * without atomicity: if two workers write at once one of them is not heard, and the next batch is.
 */
final class HandlingPace {

  /** What one worker may be given at once, in time. */
  private static final long RUN_NS = 200_000;

  private static final VarHandle PER_MESSAGE;

  static {
    try {
      PER_MESSAGE =
          MethodHandles.lookup().findVarHandle(HandlingPace.class, "perMessageNs", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Until something else is known messages go one by one. */
  @SuppressWarnings("unused") // by PER_MESSAGE
  private long perMessageNs = RUN_NS;

  /**
   * A worker: a batch is done. The number falls quickly and rises slowly, because a thread that had
   * to leave its core makes messages look slow, and nothing makes them look quick.
   */
  void took(long messages, long ns) {
    if (messages > 0) {
      long before = (long) PER_MESSAGE.getOpaque(this);
      long now = Math.max(1, ns / messages);
      long change = now < before ? (before - now + 1) / 2 : -((now - before + 7) / 8);
      PER_MESSAGE.setOpaque(this, before - change);
    }
  }

  /** Reading thread: the number of messages that one worker gets, 1 or more. */
  long messagesPerRun() {
    return Math.max(1, RUN_NS / (long) PER_MESSAGE.getOpaque(this));
  }
}
