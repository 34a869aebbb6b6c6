package org.ringwire.tools.demo.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that work off a range of numbers together: each takes the next slice until none is left.
 * One range at a time.
 */
public final class SlicedWork implements AutoCloseable {

  /** What is done with the numbers from {@code from} (inclusive) to {@code to} (exclusive). */
  @FunctionalInterface
  public interface Slice {
    void run(int from, int to) throws Exception;
  }

  private final int threads;
  private final ExecutorService executor;

  /** With so many daemon threads. */
  public SlicedWork(String name, int threads) {
    this.threads = threads;
    executor =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name(name + "-", 0).factory());
  }

  /** How many threads each of so many processes may use, so that together they use all cores. */
  public static int threadsFor(int processes) {
    return Math.clamp(Runtime.getRuntime().availableProcessors() / processes, 1, 16);
  }

  /**
   * Works off the numbers from 0 to {@code count}. Returns when all is done.
   *
   * @throws InterruptedException if interrupted; slices that run are interrupted, too
   * @throws ExecutionException with what a slice threw; no further slice is started
   */
  public void run(int count, int sliceLength, Slice slice)
      throws InterruptedException, ExecutionException {
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      running.add(
          executor.submit(() -> {
            takeSlices(next, count, sliceLength, slice);
            return null;
          }));
    }
    try {
      for (Future<?> future : running) {
        future.get();
      }
    } finally {
      running.forEach(future -> future.cancel(true));
    }
  }

  private static void takeSlices(AtomicInteger next, int count, int sliceLength, Slice slice)
      throws Exception {
    int from = next.getAndAdd(sliceLength);
    while (from < count && !Thread.currentThread().isInterrupted()) {
      try {
        slice.run(from, Math.min(count, from + sliceLength));
      } catch (Exception e) {
        next.set(count); // the others stop, too
        throw e;
      }
      from = next.getAndAdd(sliceLength);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
