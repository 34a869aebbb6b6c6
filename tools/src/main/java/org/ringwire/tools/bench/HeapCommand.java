package org.ringwire.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares serializers of object graphs; the comparison itself lives in the benchmarks module. */
@Command(
    name = "heap",
    description =
        "Microseconds per encode and decode of a graph of objects, and bytes: Ringwire's images,"
            + " Kryo, Fory, Java serialization.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    versionProvider = Version.class)
final class HeapCommand implements Callable<Integer> {

  private static final String MAIN = "org.ringwire.benchmarks.heap.HeapComparison";

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      description =
          "floats, points (int, float), pairs (int, char[5]), list (of strings), map (of numbers to"
              + " strings); default: points")
  private @Nullable String shape;

  @Option(
      names = "--elements",
      paramLabel = "N",
      description = "elements of the array or collection; default: 1024")
  private @Nullable Integer elements;

  @Option(names = "--cycles", description = "find objects that were seen before")
  private boolean cycles;

  @Option(names = "--fresh", description = "encode each graph once, as soon as it was made")
  private boolean fresh;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "rounds of all serializers in turn, whose median counts; default: 25")
  private @Nullable Integer rounds;

  @Option(names = "--json", description = "print one line of JSON per serializer, nothing else")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    List<String> arguments = new ArrayList<>();
    add(arguments, "--shape", shape);
    add(arguments, "--elements", elements);
    add(arguments, "--rounds", rounds);
    addFlag(arguments, "--cycles", cycles);
    addFlag(arguments, "--fresh", fresh);
    addFlag(arguments, "--json", json);
    // Kryo and Fory use the Unsafe of old, images the one within the JDK.
    List<String> vmOptions =
        List.of(
            "-XX:+UseParallelGC",
            "--sun-misc-unsafe-memory-access=allow",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    return OtherProgram.run(MAIN, "bench heap", vmOptions, arguments);
  }

  private static void add(List<String> arguments, String name, @Nullable Object value) {
    if (value != null) {
      arguments.addAll(List.of(name, value.toString()));
    }
  }

  private static void addFlag(List<String> arguments, String name, boolean isSet) {
    if (isSet) {
      arguments.add(name);
    }
  }
}
