package org.ringwire.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Compares systems in turns; the comparison lives in the benchmarks module. */
@Command(
    name = "compare",
    description = {
      "Ringwire and other systems in turns, by the same measurement.",
      "Everything that follows goes to the comparison, --help included."
    })
final class CompareCommand implements Callable<Integer> {

  private static final String MAIN = "org.ringwire.benchmarks.compare.CompareMain";

  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    return OtherProgram.run(MAIN, "bench compare", List.of("-XX:+UseSerialGC"), arguments);
  }
}
