package org.ringwire.benchmarks.ring;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.wire.FrameLayout;

/**
 * The experiment of Figure 14 of the DXNet paper: what it costs when a producer that has finished
 * its frame must wait for the producers that claimed before it. {@code inOrder} is that, the ring
 * without the paper's catch-up buffer; {@code independent} is the ring as it is, where a producer
 * commits and leaves. One thread empties the ring meanwhile.
 *
 * <p>The score is the throughput of all producers; time per message is its inverse. For the whole
 * figure, 1 to 128 producers, run {@link #main}: {@code ./mvnw -pl benchmarks -am package
 * -DskipTests}, then {@code java -cp ... org.ringwire.benchmarks.ring.CatchUpBenchmark}; or one
 * point with JMH's {@code -t}.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@State(Scope.Benchmark)
public class CatchUpBenchmark {

  private static final int LENGTH = 64; // divides the ring, so that there is no padding
  private static final long HEADER = FrameLayout.header(FrameLayout.MESSAGE, 300, LENGTH);
  private static final int SPINS = 100;

  /** How producers commit. */
  @Param({"inOrder", "independent"})
  public String commit = "";

  /** Work of an encoder, in tokens of the black hole; some producers are slower than others. */
  @Param({"20"})
  public int encoding;

  private final NativeMemory.Scope scope = NativeMemory.open("benchmark");
  private final OutboundRing ring = OutboundRing.over(scope.allocate(1 << 20, 64));
  private final AtomicLong committed = new AtomicLong();
  private boolean inOrder;
  private volatile boolean stopped;
  private @Nullable Thread consumer;

  /** Starts the thread that empties the ring. */
  @Setup
  public void start() {
    inOrder = commit.equals("inOrder");
    consumer = Thread.ofPlatform().daemon().start(this::consume);
  }

  /**
   * Stops that thread.
   *
   * @throws InterruptedException if interrupted
   */
  @TearDown
  public void stop() throws InterruptedException {
    stopped = true;
    if (consumer != null) {
      consumer.join();
    }
    scope.close();
  }

  /** Sends one message. */
  @Benchmark
  public void send() {
    long position = ring.tryClaim(LENGTH, Long.MAX_VALUE);
    for (int spins = 0; position < 0; position = ring.tryClaim(LENGTH, Long.MAX_VALUE)) {
      spins = pause(spins);
    }
    Blackhole.consumeCPU(encoding);
    MemorySegment memory = ring.memory();
    FrameLayout.writeWord(memory, ring.offset(position) + 8, position);
    if (inOrder) {
      for (int spins = 0; committed.get() != position; ) {
        spins = pause(spins);
      }
      ring.commit(position, HEADER);
      committed.set(position + LENGTH);
    } else {
      ring.commit(position, HEADER);
    }
  }

  private void consume() {
    for (int spins = 0; !stopped; ) {
      long bytes = ring.scan(256 << 10);
      if (bytes > 0) {
        ring.sent(bytes);
        ring.completed(bytes);
        spins = 0;
      } else {
        spins = pause(spins);
      }
    }
  }

  /** Spins for a while, then lets others run, which is kind to the one who waits in order. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static int pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
    return spins + 1;
  }

  /**
   * Runs the figure.
   *
   * @param args ignored
   * @throws RunnerException if JMH cannot run
   */
  public static void main(String... args) throws RunnerException {
    for (int threads = 1; threads <= 128; threads *= 2) {
      Options options =
          new OptionsBuilder()
              .include("^" + CatchUpBenchmark.class.getName() + ".send$")
              .threads(threads)
              .build();
      new Runner(options).run();
    }
  }
}
