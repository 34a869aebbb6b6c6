package org.ringwire.benchmarks.reference.harness;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run the same loop, once, for a given time. They wait until it begins, so that making
 * them is no part of what is measured.
 */
final class Threads {
  private final CountDownLatch ready;
  private final CountDownLatch begin = new CountDownLatch(1);
  private final CountDownLatch failed = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads;
  private volatile boolean stopped;

  /** The body of one thread; looks at {@link #isStopped} once per message. */
  interface Loop {
    void run(Threads threads, int index) throws Exception;
  }

  private Threads(int count, Loop loop) {
    ready = new CountDownLatch(count);
    threads =
        IntStream.range(0, count)
            .mapToObj(index ->
                Thread.ofPlatform()
                    .name("sender-" + index)
                    .daemon() // so that those that never begin keep no process alive
                    .unstarted(() -> await(loop, index)))
            .toList();
  }

  /** Returns when all threads wait for {@link #run}. */
  static Threads start(int count, Loop loop) throws InterruptedException {
    Threads threads = new Threads(count, loop);
    threads.threads.forEach(Thread::start);
    threads.ready.await();
    return threads;
  }

  private void await(Loop loop, int index) {
    try {
      ready.countDown();
      begin.await();
      loop.run(this, index);
    } catch (Throwable e) { // whatever it is, who waits for this thread hears of it
      failure.compareAndSet(null, e);
      failed.countDown();
    }
  }

  boolean isStopped() {
    return stopped;
  }

  /**
   * Lets them begin and returns when all have ended: after {@code seconds}, or at once when one of
   * them fails.
   */
  void run(double seconds) throws Exception {
    begin.countDown();
    failed.await((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable cause = failure.get();
    if (cause != null) {
      throw cause instanceof Exception known ? known : new ExecutionException(cause);
    }
  }
}
