package org.ringwire.benchmarks.heap;

import java.util.function.LongBinaryOperator;

/**
 * Encodes and decodes a graph by images and by Kryo, one after the other, and remembers the least
 * time of each, since what others add on a busy machine falls on them by chance. One thread.
 */
final class GraphTrip {
  private static final long BATCH_NS = 4_000_000;
  private static final int MAX_BATCH = 100_000;

  private final LongBinaryOperator images;
  private final LongBinaryOperator kryo;
  private final int imagesBatch;
  private final int kryoBatch;
  private double leastImages;
  private double leastKryo;

  /**
   * Encodes and decodes a graph for a while.
   *
   * @param warmUpNs for so long by each serializer
   */
  GraphTrip(String shape, int elements, long warmUpNs) {
    images = Isolated.contender("ringwire", shape, elements, false, false);
    kryo = Isolated.contender("kryo", shape, elements, false, false);
    imagesBatch = warmUp(images, warmUpNs);
    kryoBatch = warmUp(kryo, warmUpNs);
    forget();
  }

  /** How many graphs take as long as a batch should. */
  private static int warmUp(LongBinaryOperator contender, long warmUpNs) {
    int batch = 1;
    long perBatchNs;
    for (long spentNs = 0; spentNs < warmUpNs; spentNs += perBatchNs) {
      perBatchNs = Math.max(1, (long) (nanosPerGraph(contender, batch) * batch));
      batch = Math.clamp(BATCH_NS * batch / perBatchNs, 1, MAX_BATCH);
    }
    return batch;
  }

  private static double nanosPerGraph(LongBinaryOperator contender, int batch) {
    return (double)
            (contender.applyAsLong(HeapContender.ENCODE, batch)
                + contender.applyAsLong(HeapContender.DECODE, batch))
        / batch;
  }

  /** What was measured so far does not count. */
  void forget() {
    leastImages = Double.MAX_VALUE;
    leastKryo = Double.MAX_VALUE;
  }

  /** One batch of each. */
  void run() {
    leastKryo = Math.min(leastKryo, nanosPerGraph(kryo, kryoBatch));
    leastImages = Math.min(leastImages, nanosPerGraph(images, imagesBatch));
  }

  /** Nanoseconds per graph. */
  double leastImages() {
    return leastImages;
  }

  /** Nanoseconds per graph. */
  double leastKryo() {
    return leastKryo;
  }
}
