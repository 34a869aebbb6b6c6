package org.ringwire.engine.outbound;

import org.jspecify.annotations.Nullable;

/**
 * What a thread does before it waits inside of this library, for room, a connection, a response.
 */
public final class Waits {

  /**
   * Somebody for whose end others wait: a thread that has more work, or what a virtual thread does.
   */
  public interface Compensated {
    /** By the thread that waits: others should go on meanwhile. */
    void aboutToWait();
  }

  private static final ScopedValue<Compensated> CALL = ScopedValue.newInstance();

  private Waits() {}

  /** Runs what the current thread, a virtual one, has to do; it is told when that waits. */
  public static <T extends Runnable & Compensated> void run(T call) {
    ScopedValue.where(CALL, call).run(call);
  }

  private static @Nullable Compensated current() {
    Thread thread = Thread.currentThread();
    if (thread.isVirtual()) {
      return CALL.isBound() ? CALL.get() : null;
    }
    return thread instanceof Compensated compensated ? compensated : null;
  }

  /** Whether others wait for the current thread when it waits. */
  public static boolean isCompensated() {
    return current() != null;
  }

  /** The current thread may wait for long: what it has put off is sent, and its work handed on. */
  public static void begin() {
    SendContext.current().drainDeferred();
    Compensated compensated = current();
    if (compensated != null) {
      compensated.aboutToWait();
    }
  }
}
