package org.ringwire.tools.bench.pair;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.tools.bench.check.CheckResult;
import org.ringwire.tools.bench.measure.Allocation;
import org.ringwire.tools.bench.measure.CompilerTime;
import org.ringwire.tools.bench.measure.CpuUse;
import org.ringwire.tools.bench.measure.RttMicros;
import org.ringwire.tools.bench.measure.SystemCalls;
import org.ringwire.tools.bench.measure.WarmUp;
import org.ringwire.tools.bench.profile.Profiler;

/** The side that sends and measures: warms up, measures, and asks the receiver what it saw. */
public final class Sender implements AutoCloseable {

  /** More than a receiver waits for the last message, and than a full window takes to handle. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final BenchSpec spec;
  private final BrokenConnections broken = new BrokenConnections();
  private final NodeDirectory.Mutable receiver = NodeDirectory.mutable();
  private final Node node;
  private final List<SenderThread> senders;

  private Sender(BenchSpec spec) {
    this.spec = spec;
    node = BenchNodes.sender(spec, receiver, broken);
    senders =
        IntStream.range(0, spec.threads()).mapToObj(i -> new SenderThread(node, spec, i)).toList();
  }

  /** Opens the node; {@link #connect} follows. */
  static Sender open(BenchSpec spec) {
    return new Sender(spec);
  }

  /** Connects the node to the receiver. */
  void connect(String receiverAddress) {
    receiver.put(BenchNodes.RECEIVER, receiverAddress);
    begin();
  }

  /** Opens the node and connects it to the receiver. */
  public static Sender open(BenchSpec spec, String receiverAddress) {
    Sender sender = new Sender(spec);
    try {
      sender.connect(receiverAddress);
    } catch (RuntimeException e) {
      sender.close();
      throw e;
    }
    return sender;
  }

  /**
   * Warms up and measures.
   *
   * @param inOneProcess whether the receiver shares this process, and its count of allocations
   * @param progress receives a line for people now and then
   */
  public Measured run(boolean inOneProcess, Consumer<String> progress) throws InterruptedException {
    double warmUpSeconds = warmUp(inOneProcess, progress);
    senders.getFirst().tamper(spec);
    progress.accept("measuring for " + spec.durationSeconds() + " s");
    long sentBefore = sent();
    long threadsBefore = threadAllocation();
    Phase phase = Phase.prepare(spec, senders, spec.pauseSeconds());
    begin();
    Profiler.OF_PROCESS.begin();
    long processBefore = Allocation.ofProcess();
    long cpuBefore = CpuUse.ofProcess();
    SystemCalls callsBefore = SystemCalls.ofProcess();
    phase.run(spec.durationSeconds());
    boolean streamed = spec.benchmark() == BenchSpec.Kind.STREAM;
    Control.Handled handled = awaitHandled(streamed ? sent() : null);
    long seconds = System.nanoTime() - phase.startNs();
    long ownBytes =
        inOneProcess ? threadAllocation() - threadsBefore : Allocation.ofProcess() - processBefore;
    long ownCpu = CpuUse.ofProcess() - cpuBefore;
    SystemCalls ownCalls = SystemCalls.since(callsBefore);
    Profiler.OF_PROCESS.end();
    CheckResult check = check();
    broken.tell(progress);
    return new Measured(
        warmUpSeconds,
        sent() - sentBefore,
        seconds / 1e9,
        streamed ? null : RttMicros.of(phase.histogram()),
        check,
        ownBytes,
        inOneProcess ? handled.allocatedBytes() - ownBytes : handled.allocatedBytes(),
        inOneProcess ? ownCpu : ownCpu + handled.cpuNanos(),
        inOneProcess ? ownCalls : SystemCalls.sum(ownCalls, handled.systemCalls()));
  }

  private double warmUp(boolean inOneProcess, Consumer<String> progress)
      throws InterruptedException {
    WarmUp warmUp = spec.warmup();
    if (warmUp.longestSeconds() > 0) {
      progress.accept("warming up for " + warmUp.text());
    }
    return warmUp.run(seconds -> {
      Phase phase = Phase.prepare(spec, senders, 0);
      begin();
      phase.run(seconds);
      long elsewhere = awaitHandled(sent()).compilerMillis();
      return inOneProcess ? elsewhere : elsewhere + CompilerTime.millis();
    });
  }

  /**
   * What some threads did for a while, in one process with the receiver.
   *
   * @param messages round trips
   * @param nanos wall time
   * @param cpuNanos processor time of the process
   * @param threads that sent
   */
  public record Round(long messages, long nanos, long cpuNanos, int threads) {

    public double meanMicros() {
      return threads * (nanos / 1e3) / Math.max(1, messages);
    }

    public double messagesPerSecond() {
      return messages * 1e9 / nanos;
    }

    public double cpuMicrosPerMessage() {
      return cpuNanos / 1e3 / Math.max(1, messages);
    }

    public double cpuCores() {
      return (double) cpuNanos / nanos;
    }
  }

  /** Measures once, with the first of the threads. */
  public Round round(int threads, double seconds) throws InterruptedException {
    long sentBefore = sent();
    Phase phase = Phase.prepare(spec, senders.subList(0, threads), 0);
    long cpuBefore = CpuUse.ofProcess();
    phase.run(seconds);
    long nanos = System.nanoTime() - phase.startNs();
    long cpuNanos = CpuUse.ofProcess() - cpuBefore;
    return new Round(sent() - sentBefore, nanos, cpuNanos, threads);
  }

  /** What the receiver found so far. */
  public CheckResult check() {
    return withAnswers(verify());
  }

  /** Exchanges some messages, so that nothing is left to be done for the first time. */
  void talk(int count) {
    for (int i = 0; i < count; i++) {
      begin();
    }
  }

  private void begin() {
    node.request(
        BenchNodes.RECEIVER, new Control.Begin(spec.threads()), Control.Begun.class, PATIENCE);
  }

  /** Waits for a number of messages, or for none. */
  private Control.Handled awaitHandled(@Nullable Long count) {
    return node.request(
        BenchNodes.RECEIVER,
        new Control.AwaitHandled(count == null ? -1 : count),
        Control.Handled.class,
        PATIENCE);
  }

  private CheckResult verify() {
    long[] sent = senders.stream().mapToLong(SenderThread::sent).toArray();
    return node.request(
            BenchNodes.RECEIVER, new Control.Verify(sent), Control.Verdict.class, PATIENCE)
        .result();
  }

  /** A message that did not arrive was not answered either: it is lost once. */
  private CheckResult withAnswers(CheckResult received) {
    long withoutAnswer = senders.stream().mapToLong(SenderThread::withoutAnswer).sum();
    return new CheckResult(
        received.handled(),
        Math.max(received.lost(), withoutAnswer),
        received.duplicated(),
        received.outOfOrder());
  }

  private long sent() {
    return senders.stream().mapToLong(SenderThread::sent).sum();
  }

  private long threadAllocation() {
    return senders.stream().mapToLong(SenderThread::allocatedBytes).sum();
  }

  @Override
  public void close() {
    node.close();
  }
}
