package org.ringwire.tools.bench;

import org.ringwire.tools.Version;
import picocli.CommandLine.Command;

/** Groups the benchmarks. */
@Command(
    name = "bench",
    description = "Measure round trips, streams, idle cost, codecs, and reference programs.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "BENCHMARK",
    commandListHeading = "%nBenchmarks:%n",
    subcommands = {
      PingpongCommand.class,
      StreamCommand.class,
      IdleCommand.class,
      CodecCommand.class,
      ReferenceCommand.class
    })
public final class BenchCommand {}
