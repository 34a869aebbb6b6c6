package org.ringwire.benchmarks.reference.harness;

import java.nio.ByteBuffer;

/**
 * What the receiving process has counted since it started; the answer to a barrier.
 *
 * @param received messages handled
 * @param allocatedBytes heap bytes allocated by all threads of that process
 * @param cpuNanos processor time of that process
 * @param compilerMillis how long its compilers have worked
 */
public record ReceiverReport(
    long received,
    long lost,
    long duplicated,
    long outOfOrder,
    long allocatedBytes,
    long cpuNanos,
    long compilerMillis) {
  private static final int LENGTH = 7 * Long.BYTES;

  /** As the answer to a barrier. */
  Sample toSample(long barrier) {
    byte[] bytes = new byte[LENGTH];
    ByteBuffer.wrap(bytes)
        .putLong(received)
        .putLong(lost)
        .putLong(duplicated)
        .putLong(outOfOrder)
        .putLong(allocatedBytes)
        .putLong(cpuNanos)
        .putLong(compilerMillis);
    return new Sample(barrier, Sample.BARRIER, bytes);
  }

  /** From the answer to a barrier. */
  public static ReceiverReport fromSample(Sample sample) {
    ByteBuffer bytes = ByteBuffer.wrap(sample.payload());
    return new ReceiverReport(
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong());
  }
}
