package org.ringwire.transport.support;

import java.util.concurrent.TimeUnit;
import org.ringwire.transport.TransportConfig;

/** What every transport does with its threads. */
public final class TransportThreads {

  private static final TransportLog LOG = TransportLog.of(TransportThreads.class);

  private TransportThreads() {}

  /**
   * A thread of a transport, not started. A daemon: a node never decides how long the JVM lives,
   * its owner does; a program that forgets to close a node and leaves its main thread ends, instead
   * of hanging for ever. What the calling thread has for threads that it starts is not meant for
   * it, and would be kept for as long as it lives.
   */
  public static Thread create(TransportConfig config, String name, Runnable body) {
    return Thread.ofPlatform()
        .name(name)
        .daemon(true)
        .inheritInheritableThreadLocals(false)
        .unstarted(() -> {
          config.threadStarted().accept(Thread.currentThread());
          body.run();
        });
  }

  /**
   * Waits until a thread has ended, unless it is the calling one. An interrupt does not end the
   * wait; its status is kept. Where a thread is that does not end is logged: a handler that does
   * not return is the owner's to find.
   *
   * @return whether it has ended
   */
  public static boolean awaitEnd(Thread thread, long timeoutNs) {
    if (Thread.currentThread().equals(thread)) {
      return false;
    }
    long deadlineNs = System.nanoTime() + timeoutNs;
    boolean interrupted = false;
    long leftNs = timeoutNs;
    while (thread.isAlive() && leftNs > 0) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, leftNs);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      leftNs = deadlineNs - System.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      tellOf(thread);
    }
    return !thread.isAlive();
  }

  private static void tellOf(Thread thread) {
    Throwable where = new Throwable(thread.getState() + " here");
    where.setStackTrace(thread.getStackTrace());
    LOG.log(System.Logger.Level.WARNING, "thread does not end: " + thread.getName(), where);
  }
}
