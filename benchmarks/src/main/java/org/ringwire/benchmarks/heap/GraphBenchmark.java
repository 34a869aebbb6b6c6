package org.ringwire.benchmarks.heap;

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

/** Encoding and decoding a graph of objects, in a JVM for each serializer and shape. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 2,
    jvmArgsAppend = {
      "-XX:+UseParallelGC",
      "-Xms128m", // as in MeasuredHeap
      "-Xmn96m",
      "-XX:+AlwaysPreTouch",
      "--sun-misc-unsafe-memory-access=allow",
      "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"
    })
public class GraphBenchmark {
  /** Which serializer. */
  @Param({"ringwire", "kryo", "kryo-unsafe", "fory", "java"})
  public String serializer = "ringwire";

  /** Which graph. */
  @Param({"points", "pairs"})
  public String shape = "points";

  /** How many elements it has. */
  @Param("1024")
  public int elements = 1024;

  private Object graph = "";
  private Serializer measured = new CopyBound();

  /** Makes the graph and encodes it once. */
  @Setup
  public void setUp() {
    graph = Graph.of(shape, elements);
    measured = Serializers.of(serializer, shape, elements, false);
    measured.encode(graph);
  }

  /** Encodes once. */
  @Benchmark
  public long encode() {
    return measured.encode(graph);
  }

  /** Decodes once. */
  @Benchmark
  public Object decode() {
    return measured.decode();
  }
}
