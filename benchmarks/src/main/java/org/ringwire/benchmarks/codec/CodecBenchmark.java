package org.ringwire.benchmarks.codec;

import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/** Encoding and decoding once, in a JVM for each codec and message. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 2,
    jvmArgsAppend = { // as MeasuredHeap says
      "-XX:+UseParallelGC",
      "-Xms128m",
      "-Xmn96m",
      "-XX:+AlwaysPreTouch",
      "--sun-misc-unsafe-memory-access=allow"
    })
public class CodecBenchmark {
  /** Which codec. */
  @Param({"hand", "generated", "kryo", "fory", "protobuf"})
  public String codec = "generated";

  /** Which message. */
  @Param({"small", "points"})
  public String message = "small";

  private Trip trip = Trips.of("generated", "small");

  /** Makes the codec. */
  @Setup
  public void setUp() {
    trip = Trips.of(codec, message);
  }

  /** Encodes and decodes once. */
  @Benchmark
  public Object roundTrip() {
    return trip.once();
  }
}
