package org.ringwire.benchmarks.reference;

import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.ringwire.benchmarks.reference.Result.Allocated;
import org.ringwire.benchmarks.reference.Result.Rtt;
import org.ringwire.benchmarks.reference.Result.Timed;

/** Runs warm-up and measurement over a connected client, the same way for every Java program. */
final class Measurement {
  /** Every compared program flushes after this many messages of a sender: issue and user agree. */
  static final int MESSAGES_PER_FLUSH = 64;

  /**
   * Parts of the warm-up, each like the measurement: the virtual machine drops code that was
   * compiled on the assumption that what happens now never does.
   */
  private static final int WARMUPS = 5;

  private final Settings settings;
  private final String system;
  private final int cpus;

  /**
   * @param system what really runs, which is not what was asked for when a native library is
   *     missing
   * @param cpus cores of the machine, which a pinned process does not see
   */
  Measurement(Settings settings, String system, int cpus) {
    this.settings = settings;
    this.system = system;
    this.cpus = cpus;
  }

  /** One way: the clock stops when the receiver says that it has handled everything. */
  Result stream(StreamClient client) throws Exception {
    long[] sequences = new long[settings.threads()];
    byte[] payload = Sample.pattern(settings.payloadLength());
    Threads threads = new Threads();
    Threads.Loop loop =
        index -> sequences[index] = sendUntilStopped(client, threads, index, sequences, payload);
    ReceiverReport before = client.barrier();
    for (int i = 0; i < WARMUPS; i++) {
      threads.run(settings.threads(), settings.warmupSeconds() / WARMUPS, loop);
      before = client.barrier();
    }
    long sentBefore = Arrays.stream(sequences).sum();
    long allocatedBefore = ReceiverReport.allocatedByThisProcess();
    long start = System.nanoTime();
    threads.run(settings.threads(), settings.durationSeconds(), loop);
    ReceiverReport after = client.barrier();
    double seconds = (System.nanoTime() - start) / 1e9;
    long allocated = ReceiverReport.allocatedByThisProcess() - allocatedBefore;
    long messages = Arrays.stream(sequences).sum() - sentBefore;
    return result(new Timed(seconds, messages, null), before, after, allocated);
  }

  private static long sendUntilStopped(
      StreamClient client, Threads threads, int index, long[] sequences, byte[] payload)
      throws Exception {
    long sequence = sequences[index];
    while (!threads.isStopped()) {
      boolean flush = (sequence + 1) % MESSAGES_PER_FLUSH == 0;
      client.send(new Sample(sequence, index, payload), flush);
      sequence++;
    }
    return sequence;
  }

  /** Round trips; the clock stops when the last reply has come. */
  Result roundTrips(RoundTrips roundTrips) throws Exception {
    ReceiverReport before = roundTrips.barrier();
    for (int i = 0; i < WARMUPS && settings.warmupSeconds() > 0; i++) {
      roundTrips.run(settings.warmupSeconds() / WARMUPS);
      before = roundTrips.barrier();
    }
    long allocatedBefore = ReceiverReport.allocatedByThisProcess();
    long start = System.nanoTime();
    Histogram nanos = roundTrips.run(settings.durationSeconds());
    double seconds = (System.nanoTime() - start) / 1e9;
    long allocated = ReceiverReport.allocatedByThisProcess() - allocatedBefore;
    ReceiverReport after = roundTrips.barrier();
    Timed timed = new Timed(seconds, nanos.getTotalCount(), Rtt.from(nanos));
    return result(timed, before, after, allocated);
  }

  private Result result(
      Timed timed, ReceiverReport before, ReceiverReport after, long allocatedBySender) {
    long handled = after.received() - before.received();
    long missing = Math.max(0, timed.messages() - handled);
    ReceiverReport counts =
        new ReceiverReport(
            after.received(),
            Math.max(after.lost(), missing), // the last ones of a sender leave no gap behind
            after.duplicated(),
            after.outOfOrder(),
            after.allocatedBytes());
    double messages = Math.max(1, timed.messages());
    Allocated allocated =
        new Allocated(
            Result.round(allocatedBySender / messages),
            Result.round((after.allocatedBytes() - before.allocatedBytes()) / messages));
    return Result.of(settings, system, timed, counts, allocated, cpus);
  }
}
