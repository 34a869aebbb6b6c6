package org.ringwire.engine.inbound.workers;

import org.jspecify.annotations.Nullable;

/**
 * Finds a thread of a worker in the same batch in two looks, one after the other. The {@link
 * HandlerWatch} only.
 */
final class BatchLook {

  private @Nullable HandlerThread seen;
  private int seenBatch;

  /**
   * Looks.
   *
   * @param thread who owns the worker now
   * @return whether it has been in one batch since the last look
   */
  @SuppressWarnings("ReferenceEquality") // a thread is asked for itself
  boolean isInSame(HandlerThread thread) {
    int now = thread.batch();
    boolean same = HandlerThread.isInBatch(now) && now == seenBatch && seen == thread;
    seen = thread;
    seenBatch = now;
    return same;
  }
}
