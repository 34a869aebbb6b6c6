package org.ringwire.tools.bench;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.pair.BenchSpec;
import org.ringwire.tools.console.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Round trips: each thread sends a request when the one before is answered. */
@Command(
    name = "pingpong",
    description = {
      "Round trips: each thread sends a request when the one before is answered.",
      "Two processes on this machine, every message checked at the receiver; see --corrupt."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
final class PingpongCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec command;
  @Mixin private BenchOptions options = new BenchOptions();

  @Override
  public Integer call() throws InterruptedException {
    return MessageBench.run(BenchSpec.Kind.PINGPONG, options, command);
  }
}
