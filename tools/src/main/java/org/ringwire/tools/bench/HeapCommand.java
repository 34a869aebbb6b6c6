package org.ringwire.tools.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.measure.MeasuredHeap;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.Version;
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

  private static final String PACKAGE = "org.ringwire.benchmarks.heap.";

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      description =
          "floats, points (int, float), pairs (int, char[5]), list (of strings), map (of numbers to"
              + " strings); default: points, else pairs")
  private @Nullable String shape;

  @Option(
      names = "--elements",
      paramLabel = "N",
      description = "elements of the array or collection; default: 1024, end to end 1048576")
  private @Nullable Integer elements;

  @Option(names = "--cycles", description = "find objects that were seen before")
  private boolean cycles;

  @Option(names = "--fresh", description = "encode each graph once, as soon as it was made")
  private boolean fresh;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "rounds of all in turn, whose median counts; default: 25, else 11 or 5")
  private @Nullable Integer rounds;

  @Option(
      names = "--end-to-end",
      description = "from one process to another over TCP, through a channel or as one message")
  private boolean endToEnd;

  @Option(
      names = "--cold",
      description = "milliseconds for the first 100 graphs in new JVMs, in place of the above")
  private boolean cold;

  @Option(
      names = "--generated",
      paramLabel = "N",
      description =
          "Kryo over images for points and pairs, and for N classes generated in the run, half of"
              + " them like points, half like pairs")
  private @Nullable Integer generated;

  @Option(
      names = "--figure",
      paramLabel = "NAME",
      description = {
        "a figure or table of the paper on Naos, over TCP: latency, throughput, stages, streaming,",
        "pipelining, traversal, or all (half an hour)"
      })
  private @Nullable String figure;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "with --figure: write a page with plots")
  private @Nullable Path html;

  @Option(names = "--json", description = "print one line of JSON per serializer, nothing else")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    List<String> arguments = new ArrayList<>();
    add(arguments, "--shape", shape);
    add(arguments, "--generated", generated);
    add(arguments, "--figure", figure);
    add(arguments, "--html", html);
    add(arguments, "--elements", elements);
    add(arguments, "--rounds", rounds);
    addFlag(arguments, "--cycles", cycles);
    addFlag(arguments, "--fresh", fresh);
    addFlag(arguments, "--json", json);
    List<String> vmOptions = new ArrayList<>(heap());
    // Kryo and Fory use the Unsafe of old, images the one within the JDK.
    vmOptions.add("--sun-misc-unsafe-memory-access=allow");
    vmOptions.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    return OtherProgram.run(PACKAGE + program(), "bench heap", vmOptions, arguments);
  }

  /** The other JVMs of a comparison are started by its first one, with the same options. */
  private List<String> heap() {
    if (cold) {
      return List.of("-XX:+UseParallelGC"); // what a user's JVM has when it starts
    }
    return endToEnd || figure != null ? MeasuredHeap.forLargeGraphs() : MeasuredHeap.options();
  }

  private String program() {
    long others =
        Stream.of(endToEnd, cold, generated != null, figure != null).filter(each -> each).count();
    if (others > 1 || (others == 1 && (cycles || fresh)) || (generated != null && shape != null)) {
      throw new CommandException(
          "--end-to-end, --cold, --generated and --figure go neither together nor with --cycles or"
              + " --fresh, and --generated not with --shape");
    }
    if (html != null && figure == null) {
      throw new CommandException("--html goes with --figure");
    }
    if (figure != null) {
      return "figure.Figures";
    }
    if (generated != null) {
      return "GeneratedRatios";
    }
    if (endToEnd) {
      return "EndToEnd";
    }
    return cold ? "ColdStart" : "HeapComparison";
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
