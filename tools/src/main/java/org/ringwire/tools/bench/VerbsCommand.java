package org.ringwire.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Compares with perftest on an RDMA device; the comparison lives in the benchmarks module. */
@Command(
    name = "verbs",
    description = {
      "Ringwire over ib and perftest in turns, on an RDMA device of this machine.",
      "Everything that follows goes to the comparison, --help included."
    })
final class VerbsCommand implements Callable<Integer> {

  private static final String MAIN = "org.ringwire.benchmarks.verbs.VerbsMain";

  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    return OtherProgram.run(
        MAIN,
        "bench verbs",
        List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"),
        arguments);
  }
}
