package org.ringwire.benchmarks.reference;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;

/**
 * What the receiving process has counted since it started; the answer to a barrier.
 *
 * @param received messages handled
 * @param allocatedBytes heap bytes allocated by all threads of that process
 */
record ReceiverReport(
    long received, long lost, long duplicated, long outOfOrder, long allocatedBytes) {
  private static final int LENGTH = 5 * Long.BYTES;

  Sample toSample(long barrier) {
    byte[] bytes = new byte[LENGTH];
    ByteBuffer.wrap(bytes)
        .putLong(received)
        .putLong(lost)
        .putLong(duplicated)
        .putLong(outOfOrder)
        .putLong(allocatedBytes);
    return new Sample(barrier, Sample.BARRIER, bytes);
  }

  static ReceiverReport fromSample(Sample sample) {
    ByteBuffer bytes = ByteBuffer.wrap(sample.payload());
    return new ReceiverReport(
        bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
  }

  /** Heap bytes that all threads of this process have allocated so far. */
  static long allocatedByThisProcess() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getTotalThreadAllocatedBytes();
  }
}
