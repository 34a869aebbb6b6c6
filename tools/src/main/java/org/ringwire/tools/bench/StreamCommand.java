package org.ringwire.tools.bench;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.pair.BenchSpec;
import org.ringwire.tools.console.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** One way: threads send as fast as they can. */
@Command(
    name = "stream",
    description = {
      "One way: threads send as fast as they can.",
      "Two processes on this machine, every message checked at the receiver; see --corrupt."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
final class StreamCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec command;
  @Mixin private BenchOptions options = new BenchOptions();

  @Override
  public Integer call() throws InterruptedException {
    return MessageBench.run(BenchSpec.Kind.STREAM, options, command);
  }
}
