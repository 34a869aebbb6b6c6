package org.ringwire.engine.outbound;

/**
 * What a thread does before it waits inside of this library, for room, a connection, a response.
 */
public final class Waits {

  /** A thread that has other work waiting for it. */
  public interface Compensated {
    /** By this thread: somebody else should go on with its work. */
    void aboutToWait();
  }

  private Waits() {}

  /** Whether others wait for the current thread when it waits. */
  public static boolean isCompensated() {
    return Thread.currentThread() instanceof Compensated;
  }

  /** The current thread may wait for long: what it has put off is sent, and its work handed on. */
  public static void begin() {
    SendContext.current().drainDeferred();
    if (Thread.currentThread() instanceof Compensated thread) {
      thread.aboutToWait();
    }
  }
}
