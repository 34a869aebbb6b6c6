package org.ringwire.benchmarks.reference.harness;

import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.ringwire.benchmarks.reference.harness.Result.Allocated;
import org.ringwire.benchmarks.reference.harness.Result.Cost;
import org.ringwire.benchmarks.reference.harness.Result.Ran;
import org.ringwire.benchmarks.reference.harness.Result.Rtt;
import org.ringwire.benchmarks.reference.harness.Result.Timed;
import org.ringwire.tools.bench.measure.CompilerTime;

/**
 * Runs warm-up and measurement over a connected client, the same way for every Java program. The
 * clock starts when all threads are there and wait, as it does for Ringwire itself.
 */
public final class Measurement {
  /** Large enough that the kernel's cost per call disappears, small enough to stay in cache. */
  public static final int BUFFER_LENGTH = 128 * 1024;

  private final Settings settings;
  private final String system;
  private final String medium;
  private final int cpus;

  /**
   * @param system what really runs, which is not what was asked for when a native library is
   *     missing
   * @param medium what carries the bytes
   * @param cpus cores of the machine, which a pinned process does not see
   */
  public Measurement(Settings settings, String system, String medium, int cpus) {
    this.settings = settings;
    this.system = system;
    this.medium = medium;
    this.cpus = cpus;
  }

  /** One way: the clock stops when the receiver says that it has handled everything. */
  public Result stream(StreamClient client) throws Exception {
    long[] sequences = new long[settings.threads()];
    byte[] payload = Sample.pattern(settings.payloadLength());
    Threads.Loop loop =
        (threads, index) ->
            sequences[index] = sendUntilStopped(client, threads, index, sequences, payload);
    double warmUpSeconds =
        settings
            .warmup()
            .run(part -> {
              Threads.start(settings.threads(), loop).run(part);
              return compilerMillis(client.barrier());
            });
    Threads threads = Threads.start(settings.threads(), loop);
    ReceiverReport before = client.barrier();
    long sentBefore = Arrays.stream(sequences).sum();
    ProcessUse used = ProcessUse.now();
    long start = System.nanoTime();
    threads.run(settings.durationSeconds());
    ReceiverReport after = client.barrier();
    double seconds = (System.nanoTime() - start) / 1e9;
    long messages = Arrays.stream(sequences).sum() - sentBefore;
    return result(
        new Timed(warmUpSeconds, seconds, messages, null), before, after, used, ProcessUse.now());
  }

  private long sendUntilStopped(
      StreamClient client, Threads threads, int index, long[] sequences, byte[] payload)
      throws Exception {
    int messagesPerFlush = settings.messagesPerFlush();
    long sequence = sequences[index];
    do { // something, however late the thread gets a core
      boolean flush = (sequence + 1) % messagesPerFlush == 0;
      client.send(new Sample(sequence, index, payload), flush);
      sequence++;
    } while (!threads.isStopped());
    return sequence;
  }

  /** Round trips; the clock stops when the last reply has come. */
  public Result roundTrips(RoundTrips roundTrips) throws Exception {
    double warmUpSeconds =
        settings
            .warmup()
            .run(part -> {
              roundTrips.prepare(0).run(part);
              return compilerMillis(roundTrips.barrier());
            });
    RoundTrips.Run run = roundTrips.prepare(settings.pauseNs());
    ReceiverReport before = roundTrips.barrier();
    ProcessUse used = ProcessUse.now();
    long start = System.nanoTime();
    run.run(settings.durationSeconds());
    double seconds = (System.nanoTime() - start) / 1e9;
    ReceiverReport after = roundTrips.barrier();
    Histogram nanos = run.nanos();
    Timed timed = new Timed(warmUpSeconds, seconds, nanos.getTotalCount(), Rtt.from(nanos));
    return result(timed, before, after, used, ProcessUse.now());
  }

  private static long compilerMillis(ReceiverReport receiver) {
    return receiver.compilerMillis() + CompilerTime.millis();
  }

  private Result result(
      Timed timed,
      ReceiverReport before,
      ReceiverReport after,
      ProcessUse senderBefore,
      ProcessUse senderAfter) {
    long handled = after.received() - before.received();
    long missing = Math.max(0, timed.messages() - handled);
    ReceiverReport counts =
        new ReceiverReport(
            after.received(),
            Math.max(after.lost(), missing), // the last ones of a sender leave no gap behind
            after.duplicated(),
            after.outOfOrder(),
            after.allocatedBytes() - before.allocatedBytes(),
            after.cpuNanos() - before.cpuNanos(),
            after.compilerMillis() - before.compilerMillis());
    double messages = Math.max(1, timed.messages());
    long allocated = senderAfter.allocatedBytes() - senderBefore.allocatedBytes();
    Allocated perMessage =
        new Allocated(
            Result.round(allocated / messages), Result.round(counts.allocatedBytes() / messages));
    double cpuSeconds =
        (senderAfter.cpuNanos() - senderBefore.cpuNanos() + counts.cpuNanos()) / 1e9;
    return Result.of(
        settings,
        new Ran(system, medium, Runtime.version().toString(), cpus),
        timed,
        counts,
        new Cost(perMessage, cpuSeconds));
  }
}
