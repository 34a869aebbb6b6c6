package org.ringwire.tools.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.check.CheckResult;
import org.ringwire.tools.bench.measure.Machine;
import org.ringwire.tools.bench.measure.Pinning;
import org.ringwire.tools.bench.measure.RttMicros;
import org.ringwire.tools.bench.measure.SystemCalls;
import org.ringwire.tools.bench.pair.BenchSpec;
import org.ringwire.tools.bench.pair.Measured;
import org.ringwire.tools.bench.profile.ProfilePart;

/**
 * One line of JSON per run, the same for every system that is measured.
 *
 * @param benchmark {@code pingpong} or {@code stream}
 * @param system what was measured
 * @param transport what carried the messages; {@code tcp+tls} with TLS
 * @param payloadBytes length of the byte array in each message
 * @param threads sending threads
 * @param seconds length of the measurement, warm-up excluded
 * @param warmUpSeconds length of the run before it
 * @param messages one-way messages; round trips of a pingpong
 * @param messagesPerSecond messages over seconds
 * @param payloadBytesPerSecond in one direction
 * @param nanosPerMessage wall time over messages of all threads
 * @param rttMicros of a pingpong
 * @param lost messages that did not arrive, or altered
 * @param duplicated messages that arrived again
 * @param outOfOrder messages overtaken by later ones of their sender; null where it cannot be told
 * @param allocatedBytesPerMessage heap allocation
 * @param cpuSecondsPerMillionMessages processor time of both processes
 * @param systemCallsPerThousandMessages what both processes called; null where it is not known
 * @param profile where that processor time went; null where nobody looked
 * @param mode how threads wait
 * @param pinning {@code none}, {@code one} core for both processes, or {@code two}
 * @param java version of the runtime
 * @param kernel name and version of the operating system
 * @param cpus processors that the benchmark could use
 */
public record BenchResult(
    String benchmark,
    String system,
    String transport,
    int payloadBytes,
    int threads,
    double seconds,
    double warmUpSeconds,
    long messages,
    double messagesPerSecond,
    double payloadBytesPerSecond,
    double nanosPerMessage,
    @Nullable RttMicros rttMicros,
    @Nullable Long lost,
    @Nullable Long duplicated,
    @Nullable Long outOfOrder,
    @Nullable AllocatedBytes allocatedBytesPerMessage,
    double cpuSecondsPerMillionMessages,
    @Nullable Calls systemCallsPerThousandMessages,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<ProfilePart> profile,
    String mode,
    String pinning,
    String java,
    String kernel,
    int cpus) {

  /** Heap bytes per message on both sides; null where it was not measured. */
  public record AllocatedBytes(@Nullable Double sender, @Nullable Double receiver) {}

  /**
   * Calls of the kernel per 1,000 messages: to read and write data, and to wake who waits for it.
   */
  public record Calls(double reads, double writes) {

    static @Nullable Calls of(@Nullable SystemCalls calls, double messages) {
      double thousands = Math.max(1, messages) / 1000;
      return calls == null
          ? null
          : new Calls(calls.reads() / thousands, calls.writes() / thousands);
    }
  }

  static BenchResult of(
      BenchSpec spec, Pinning pinning, Measured measured, @Nullable List<ProfilePart> profile) {
    double messages = measured.messages();
    double perSecond = messages / measured.seconds();
    CheckResult check = measured.check();
    return new BenchResult(
        spec.benchmark().word(),
        "ringwire",
        spec.medium(),
        spec.payloadBytes(),
        spec.threads(),
        measured.seconds(),
        measured.warmUpSeconds(),
        measured.messages(),
        perSecond,
        perSecond * spec.payloadBytes(),
        measured.seconds() * 1e9 / Math.max(1, messages),
        measured.rttMicros(),
        check.lost(),
        check.duplicated(),
        check.outOfOrder(),
        new AllocatedBytes(
            measured.senderAllocatedBytes() / Math.max(1, messages),
            measured.receiverAllocatedBytes() / Math.max(1, messages)),
        measured.cpuNanos() / 1e3 / Math.max(1, messages),
        Calls.of(measured.systemCalls(), messages),
        profile,
        spec.mode().word(),
        pinning.word(),
        Machine.java(),
        Machine.kernel(),
        Machine.cpus());
  }
}
