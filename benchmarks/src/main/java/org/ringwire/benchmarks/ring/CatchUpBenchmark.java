package org.ringwire.benchmarks.ring;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
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
import org.openjdk.jmh.runner.options.VerboseMode;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.Text;
import org.ringwire.wire.FrameLayout;

/**
 * The experiment of Figure 14 of the DXNet paper: what it costs when a producer that has finished
 * its frame must wait for the producers that claimed before it. {@code inOrder} is that, the ring
 * without the paper's catch-up buffer; {@code independent} is the ring as it is, where a producer
 * commits and leaves. One thread empties the ring meanwhile.
 *
 * <p>The score is time per message: from the moment when all producers are told to start, until the
 * last of them has sent its share. (JMH's own threads would not do: it adds up their rates, each
 * over the time in which that thread ran, which flatters many threads on few cores.) {@code
 * ./benchmarks/figure14} makes the whole figure, {@code ./benchmarks/jmh CatchUpBenchmark} shows
 * each point with its error.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@State(Scope.Benchmark)
public class CatchUpBenchmark {

  private static final int MESSAGES = 1 << 18;
  private static final int LENGTH = 64; // divides the ring, so that there is no padding
  private static final long HEADER = FrameLayout.header(FrameLayout.MESSAGE, 300, LENGTH);
  private static final int SPINS = 100;

  /** How producers commit. */
  @Param({"inOrder", "independent"})
  public String commit = "";

  /** Threads that send; a power of two. */
  @Param({"1", "2", "4", "8", "16", "32", "64", "128"})
  public int producers;

  /** Work of an encoder, in tokens of the black hole. */
  @Param({"20"})
  public int encoding;

  private final NativeMemory.Scope scope = NativeMemory.open("benchmark");
  private final OutboundRing ring = OutboundRing.over(scope.allocate(1 << 20, 64));
  private final AtomicLong committed = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private CyclicBarrier turn = new CyclicBarrier(1);
  private boolean inOrder;
  private volatile boolean stopped;

  /** Starts the producers, which wait for their turn, and the thread that empties the ring. */
  @Setup
  public void start() {
    inOrder = commit.equals("inOrder");
    turn = new CyclicBarrier(producers + 1);
    threads.add(Thread.ofPlatform().daemon().start(this::consume));
    for (int i = 0; i < producers; i++) {
      threads.add(Thread.ofPlatform().daemon().start(this::produce));
    }
  }

  /**
   * Stops these threads.
   *
   * @throws Exception if interrupted
   */
  @TearDown
  public void stop() throws Exception {
    stopped = true;
    turn.await();
    for (Thread thread : threads) {
      thread.join();
    }
    scope.close();
  }

  /**
   * Sends all messages.
   *
   * @throws Exception if interrupted
   */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public void send() throws Exception {
    turn.await(); // all start
    turn.await(); // all have sent
  }

  private void produce() {
    try {
      for (turn.await(); !stopped; turn.await()) {
        for (int i = MESSAGES / producers; i > 0; i--) {
          sendOne();
        }
        turn.await();
      }
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  private void sendOne() {
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
      long bytes = ring.consumer().scan(256 << 10);
      if (bytes > 0) {
        ring.consumer().sent(bytes);
        ring.consumer().completed(bytes);
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
   * Makes the figure, and prints it as a table.
   *
   * @param args the largest number of producers, 128 if there is none
   * @throws RunnerException if JMH cannot run
   */
  public static void main(String... args) throws RunnerException {
    String most = args.length == 0 ? "128" : args[0];
    if (args.length > 1 || !most.matches("[1-9]\\d{0,2}")) {
      System.err.println(
          "figure14: takes the largest number of producers, from 1 to 999, not "
              + Text.shown(String.join(" ", args)));
      System.exit(ExitStatus.UNUSABLE);
    }
    System.out.println("producers  in order ns/message  independent ns/message  ratio");
    for (int producers = 1; producers <= Integer.parseInt(most); producers *= 2) {
      double inOrder = nanosPerMessage("inOrder", producers);
      double independent = nanosPerMessage("independent", producers);
      System.out.printf(
          Locale.ROOT,
          "%9d  %19.1f  %22.1f  %5.2f%n",
          producers,
          inOrder,
          independent,
          inOrder / independent);
    }
  }

  private static double nanosPerMessage(String commit, int producers) throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include("^" + CatchUpBenchmark.class.getName() + ".send$")
            .param("commit", commit)
            .param("producers", Integer.toString(producers))
            .verbosity(VerboseMode.SILENT)
            .build();
    return new Runner(options).runSingle().getPrimaryResult().getScore();
  }
}
