package org.ringwire.benchmarks.reference.harness;

import java.util.Arrays;

/**
 * The handler's check: every message of every sender once and in order, content on a sample.
 *
 * <p>Used by the reading thread alone; what it counted travels to the other process in a {@link
 * ReceiverReport}.
 */
final class SequenceCheck {
  /** Comparing one payload in 1024 costs nothing visible and still sees a shifted stream. */
  private static final int CONTENT_SAMPLE_MASK = 1023;

  private final long[] expected;
  private final byte[] pattern;
  private long received;
  private long lost;
  private long duplicated;
  private long outOfOrder;

  SequenceCheck(int senders, int payloadLength) {
    expected = new long[senders];
    pattern = Sample.pattern(payloadLength);
  }

  /** Counts this message; throws when its content is not what was sent. */
  void handle(Sample sample) {
    received++;
    long sequence = sample.sequence();
    if (sequence == expected[sample.sender()]) {
      expected[sample.sender()] = sequence + 1;
    } else {
      countGap(sample.sender(), sequence);
    }
    if ((sequence & CONTENT_SAMPLE_MASK) == 0 && !Arrays.equals(pattern, sample.payload())) {
      throw new IllegalStateException(
          "payload differs: sender=" + sample.sender() + ", sequence=" + sequence);
    }
  }

  private void countGap(int sender, long sequence) {
    long missing = sequence - expected[sender];
    if (missing > 0) {
      lost += missing;
      expected[sender] = sequence + 1;
    } else if (lost > 0) { // a late one was counted as lost when its successor came
      lost--;
      outOfOrder++;
    } else {
      duplicated++;
    }
  }

  ReceiverReport report(ProcessUse use) {
    return new ReceiverReport(
        received,
        lost,
        duplicated,
        outOfOrder,
        use.allocatedBytes(),
        use.cpuNanos(),
        use.compilerMillis());
  }
}
