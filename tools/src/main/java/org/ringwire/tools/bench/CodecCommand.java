package org.ringwire.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.measure.MeasuredHeap;
import org.ringwire.tools.console.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares codecs; the comparison itself lives in the benchmarks module. */
@Command(
    name = "codec",
    description = {
      "Nanoseconds per encode and decode, and bytes: codecs written by hand, generated ones, Kryo,"
          + " Fory, Protobuf."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class CodecCommand implements Callable<Integer> {

  private static final String MAIN = "org.ringwire.benchmarks.codec.CodecComparison";

  @Option(names = "--json", description = "print one line of JSON on standard output, nothing else")
  private boolean json;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "rounds of all codecs in turn, whose median counts; default: 25")
  private @Nullable Integer rounds;

  @Override
  public Integer call() throws InterruptedException {
    List<String> arguments = new ArrayList<>();
    if (rounds != null) {
      arguments.addAll(List.of("--rounds", rounds.toString()));
    }
    if (json) {
      arguments.add("--json");
    }
    List<String> vmOptions = new ArrayList<>(MeasuredHeap.options());
    vmOptions.add("--sun-misc-unsafe-memory-access=allow"); // for Kryo and Fory
    return OtherProgram.run(MAIN, "bench codec", vmOptions, arguments);
  }
}
