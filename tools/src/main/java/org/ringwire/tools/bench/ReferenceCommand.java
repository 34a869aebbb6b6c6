package org.ringwire.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Runs the programs that figures are compared with; they live in the benchmarks module. */
@Command(
    name = "reference",
    description = {
      "The same measurements of other programs: plain sockets, Netty, C.",
      "Everything that follows goes to them, --help included."
    })
final class ReferenceCommand implements Callable<Integer> {

  private static final String MAIN = "org.ringwire.benchmarks.reference.ReferenceMain";

  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    List<String> vmOptions = List.of("-XX:+UseParallelGC", "--sun-misc-unsafe-memory-access=allow");
    return OtherProgram.run(MAIN, "bench reference", vmOptions, arguments);
  }
}
