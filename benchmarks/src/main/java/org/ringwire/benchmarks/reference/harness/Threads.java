package org.ringwire.benchmarks.reference.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs the same loop on several threads for a given time. */
final class Threads {
  private volatile boolean stopped;

  /** The body of one thread; looks at {@link #isStopped} once per message. */
  interface Loop {
    void run(int index) throws Exception;
  }

  boolean isStopped() {
    return stopped;
  }

  /**
   * Returns when all threads have ended: after {@code seconds}, or at once when one of them fails.
   */
  void run(int count, double seconds, Loop loop) throws Exception {
    stopped = false;
    try (ExecutorService executor =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("sender-", 0).factory())) {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int index = i;
        ends.add(
            executor.submit(() -> {
              loop.run(index);
              return null;
            }));
      }
      long deadline = System.nanoTime() + (long) (seconds * 1e9);
      while (System.nanoTime() < deadline && ends.stream().noneMatch(Future::isDone)) {
        TimeUnit.NANOSECONDS.sleep(Math.clamp(deadline - System.nanoTime(), 0, 50_000_000));
      }
      stopped = true;
      for (Future<?> end : ends) {
        end.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
