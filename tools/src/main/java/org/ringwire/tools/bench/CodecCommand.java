package org.ringwire.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.ringwire.tools.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** Compares codecs; the comparison itself lives in the benchmarks module. */
@Command(
    name = "codec",
    description = {
      "Nanoseconds per encode and decode, and bytes: codecs written by hand, generated ones, Kryo,"
          + " Fory, Protobuf.",
      "Options that are not listed here go to the comparison."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class CodecCommand implements Callable<Integer> {

  private static final String MAIN = "org.ringwire.benchmarks.codec.CodecComparison";

  @Option(names = "--json", description = "print one line of JSON on standard output, nothing else")
  private boolean json;

  @Unmatched private List<String> others = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    List<String> arguments = new ArrayList<>(others);
    if (json) {
      arguments.add("--json");
    }
    // Kryo and Fory use Unsafe.
    List<String> vmOptions = List.of("-XX:+UseParallelGC", "--sun-misc-unsafe-memory-access=allow");
    return OtherProgram.run(MAIN, "bench codec", vmOptions, arguments);
  }
}
