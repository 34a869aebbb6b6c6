package org.ringwire.benchmarks.runs;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How far the two processors of a machine are from each other: what a cache line takes from one to
 * the other and back. A virtual machine may find it changed from one second to the next, by five
 * times and more, when its host moves it; and figures of what goes from core to core with it.
 */
final class CoreDistance {
  /** The scheduler may leave both threads on one processor at first. */
  private static final int ATTEMPTS = 10;

  private static final int BATCHES = 40;
  private static final int TURNS = 500;

  /** A turn that takes this long has met something else, such as a third thread. */
  private static final long LONGEST_NS = 50_000_000;

  /** Ends the other thread. */
  private static final long OVER = -1;

  private CoreDistance() {}

  /**
   * Nanoseconds there and back, the median of some batches: some milliseconds, half a second at
   * most where others use the processors. Null where they leave no two of them to this, and where
   * there are not two processors, since of more nobody knows which ones a run has.
   */
  static @Nullable Double now() throws InterruptedException {
    if (Runtime.getRuntime().availableProcessors() != 2) {
      return null;
    }
    Double nanos = measure();
    for (int i = 1; i < ATTEMPTS && nanos == null; i++) {
      nanos = measure();
    }
    return nanos;
  }

  /** The same by one attempt, between any two processors. */
  static @Nullable Double measure() throws InterruptedException {
    AtomicLong line = new AtomicLong();
    Thread other = Thread.ofPlatform().name("core-distance").daemon().start(() -> answer(line));
    try {
      return measure(line);
    } finally {
      line.set(OVER);
      other.join();
    }
  }

  private static @Nullable Double measure(AtomicLong line) {
    double[] batches = new double[BATCHES];
    long turn = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      long begin = System.nanoTime();
      for (int i = 0; i < TURNS; i++) {
        line.setRelease(turn + 1);
        turn += 2;
        while (line.getAcquire() != turn) {
          if (System.nanoTime() - begin > LONGEST_NS) {
            return null;
          }
        }
      }
      batches[batch] = (double) (System.nanoTime() - begin) / TURNS;
    }
    return Numbers.median(batches);
  }

  /** Odd is a question, and what follows it the answer. */
  private static void answer(AtomicLong line) {
    long seen = line.getAcquire();
    while (seen != OVER) {
      if ((seen & 1) != 0) {
        line.compareAndSet(seen, seen + 1); // it may be over in the meantime
      }
      seen = line.getAcquire();
    }
  }
}
