package org.ringwire.transport;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Starts threads of a test and collects what they throw. */
public final class Threads {

  private static final long TIMEOUT_S = 60;

  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** What a thread does. */
  @FunctionalInterface
  public interface Body {
    /** Does it. */
    void run() throws Exception;
  }

  /** No threads yet. */
  public Threads() {}

  /** Starts a thread. */
  public Thread start(Body body) {
    Thread thread =
        new Thread(() -> {
          try {
            body.run();
          } catch (Throwable e) {
            failures.add(e);
          }
        });
    threads.add(thread);
    thread.start();
    return thread;
  }

  /** Waits for all; throws what one of them has thrown. */
  public void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_S));
      if (thread.isAlive()) {
        AssertionError stuck = new AssertionError("a thread does not end: " + thread.getName());
        stuck.setStackTrace(thread.getStackTrace());
        throw stuck;
      }
    }
    for (Throwable failure : failures) {
      throw new AssertionError(failure);
    }
  }
}
