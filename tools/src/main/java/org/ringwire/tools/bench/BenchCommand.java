package org.ringwire.tools.bench;

import org.ringwire.tools.bench.scale.ScaleCommand;
import org.ringwire.tools.console.Version;
import picocli.CommandLine.Command;

/** Groups the benchmarks. */
@Command(
    name = "bench",
    description =
        "Measure round trips, streams, idle cost, many peers, overload, codecs, object graphs,"
            + " reference programs, and comparisons.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "BENCHMARK",
    commandListHeading = "%nBenchmarks:%n",
    subcommands = {
      PingpongCommand.class,
      StreamCommand.class,
      IdleCommand.class,
      ScaleCommand.class,
      OverloadCommand.class,
      CodecCommand.class,
      HeapCommand.class,
      CompareCommand.class,
      ReferenceCommand.class,
      VerbsCommand.class
    })
public final class BenchCommand {}
