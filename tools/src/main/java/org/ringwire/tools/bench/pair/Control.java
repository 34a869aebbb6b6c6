package org.ringwire.tools.bench.pair;

import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.check.CheckResult;
import org.ringwire.tools.bench.measure.SystemCalls;

/** What sender and receiver tell each other about a run, besides the messages measured. */
final class Control {

  private Control() {}

  /** The receiver counts its allocations from now on. */
  record Begin(int threads) {}

  /** Answers {@link Begin}. */
  record Begun(int threads) {}

  /**
   * Answered when so many messages, counted from the first on, were handled, or none comes any
   * more. With a negative count at once.
   */
  record AwaitHandled(long count) {}

  /**
   * Answers {@link AwaitHandled}: the bytes that the receiver's process allocated since {@link
   * Begin}, the processor time that it used, and what it called; -1 where that is not known. And
   * {@link org.ringwire.tools.bench.measure.CompilerTime how long} its compilers have worked since
   * it started.
   */
  record Handled(
      long count,
      long allocatedBytes,
      long cpuNanos,
      long reads,
      long writes,
      long compilerMillis) {

    @Nullable SystemCalls systemCalls() {
      return reads < 0 ? null : new SystemCalls(reads, writes);
    }
  }

  /** What became of the messages sent so far, per sender. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Verify(long[] sent) {}

  /** Answers {@link Verify}. */
  record Verdict(long handled, long lost, long duplicated, @Nullable Long outOfOrder) {

    CheckResult result() {
      return new CheckResult(handled, lost, duplicated, outOfOrder);
    }
  }
}
