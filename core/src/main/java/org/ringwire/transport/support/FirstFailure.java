package org.ringwire.transport.support;

import org.jspecify.annotations.Nullable;

/**
 * The first failure of a link, which is the cause of its end. Any thread.
 *
 * <p>Guarded by itself, and not by a {@code VarHandle}: the first call of such a method takes heap,
 * at each place of a program, and a link that lost bytes for want of heap must be known to have
 * failed before it hears of those that follow. Whoever reads it sees all that was done before it
 * was noted (volatile).
 */
public final class FirstFailure {

  private volatile @Nullable Throwable failure;

  /** None so far. */
  public FirstFailure() {}

  /** One more failure. */
  public synchronized void note(Throwable another) {
    if (failure == null) {
      failure = another;
    }
  }

  /** The first one, or null. */
  public @Nullable Throwable get() {
    return failure;
  }
}
