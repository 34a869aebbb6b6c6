package org.ringwire.benchmarks.ring;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.ringwire.ring.Lane;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.wire.FrameLayout;

/**
 * Nanoseconds per frame of 88 bytes through a lane, and per buffer from the pool, on one thread.
 * Run with {@code -prof gc}: {@code gc.alloc.rate.norm} must be 0.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@State(Scope.Thread)
public class InboundBenchmark {

  private static final int LENGTH = 88;
  private static final long HEADER = FrameLayout.header(FrameLayout.MESSAGE, 300, LENGTH);
  private static final int BATCH = 256;

  private final ReceiveBufferPool pool = new ReceiveBufferPool(4 << 20);
  private final Lane lane = new Lane(pool);
  private final MemorySegment source = frame();

  private static MemorySegment frame() {
    MemorySegment frame = MemorySegment.ofArray(new long[LENGTH / 8]);
    FrameLayout.writeWord(frame, 0, HEADER);
    return frame;
  }

  /** Ends lane and pool. */
  @TearDown
  public void close() {
    lane.close();
    pool.close();
  }

  /** A lane under load: appended by many, handled by many. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long laneInBatches() {
    for (int index = 0; index < BATCH; index++) {
      lane.append(source, 0, LENGTH, HEADER);
    }
    return handle();
  }

  /** A quiet lane: a chunk is acquired and returned for each frame. */
  @Benchmark
  public long laneOneByOne() {
    lane.append(source, 0, LENGTH, HEADER);
    return handle();
  }

  private long handle() {
    long sum = 0;
    while (lane.next()) {
      sum += FrameLayout.readHeader(lane.memory(), lane.offset());
      lane.release();
    }
    boolean _ = lane.settle();
    return sum;
  }

  /** A buffer from the pool and back. */
  @Benchmark
  public void buffer() {
    pool.acquire(LENGTH).release();
  }
}
