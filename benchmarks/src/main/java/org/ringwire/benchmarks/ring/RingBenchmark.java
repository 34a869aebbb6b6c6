package org.ringwire.benchmarks.ring;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.wire.FrameLayout;

/**
 * Nanoseconds per frame of 88 bytes, in batches of 32 KiB as the adaptive drain has them, on one
 * thread. Each frame gets two words, so that what is measured is the ring. Run with {@code -prof
 * gc}: {@code gc.alloc.rate.norm} must be 0.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class RingBenchmark {

  private static final int LENGTH = 88;
  private static final int BATCH = (32 << 10) / LENGTH;
  private static final long HEADER = FrameLayout.header(FrameLayout.MESSAGE, 300, LENGTH);

  /** An empty ring. */
  @State(Scope.Thread)
  public static class Empty {

    private final NativeMemory.Scope scope = NativeMemory.open("benchmark");
    final OutboundRing ring = OutboundRing.over(scope.allocate(1 << 20, 64));

    /** Ends the ring. */
    @TearDown
    public void close() {
      scope.close();
    }

    long claim() {
      int claimed = 0;
      MemorySegment memory = ring.memory();
      for (int index = 0; index < BATCH; index++) {
        long position = ring.tryClaim(LENGTH, Long.MAX_VALUE);
        if (position >= 0) {
          long offset = ring.offset(position);
          FrameLayout.writeWord(memory, offset + 8, index);
          FrameLayout.writeWord(memory, offset + 80, index);
          ring.open(memory, position, HEADER);
          ring.commitOpen(position, HEADER);
          claimed++;
        }
      }
      return claimed;
    }

    long claimUncharged() {
      int claimed = 0;
      MemorySegment memory = ring.memory();
      for (int index = 0; index < BATCH; index++) {
        long position = ring.tryClaimUncharged(LENGTH);
        if (position >= 0) {
          long offset = ring.offset(position);
          FrameLayout.writeWord(memory, offset + 8, index);
          FrameLayout.writeWord(memory, offset + 80, index);
          ring.open(memory, position, HEADER);
          ring.commitOpen(position, HEADER);
          claimed++;
        }
      }
      return claimed;
    }

    long drain() {
      long total = 0;
      for (long bytes = ring.consumer().scan(256 << 10);
          bytes > 0;
          bytes = ring.consumer().scan(256 << 10)) {
        ring.consumer().sent(bytes);
        ring.consumer().completed(bytes);
        total += bytes;
      }
      ring.consumer().restart();
      return total;
    }
  }

  /** A ring that is emptied before each batch. */
  @State(Scope.Thread)
  public static class Emptied extends Empty {

    /** Sends what the last batch left. */
    @Setup(Level.Invocation)
    public void empty() {
      drain();
    }
  }

  /** A ring that is filled before each batch. */
  @State(Scope.Thread)
  public static class Filled extends Empty {

    /** Claims and commits a batch. */
    @Setup(Level.Invocation)
    public void fill() {
      claim();
    }
  }

  /** Producer: claims and commits. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long claimAndCommit(Emptied state) {
    return state.claim();
  }

  /** Producer: the same for frames that are exempt from the window. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long claimUnchargedAndCommit(Emptied state) {
    return state.claimUncharged();
  }

  /** Consumer: scans, clears marks and releases. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long scanAndRelease(Filled state) {
    return state.drain();
  }

  /** Both. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long throughTheRing(Empty state) {
    return state.claim() + state.drain();
  }
}
