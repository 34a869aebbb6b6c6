package org.ringwire.tools.bench;

import picocli.CommandLine.Command;

/** Groups the benchmarks. */
@Command(
    name = "bench",
    description = "Measure round trips, streams, idle cost, codecs, and reference programs.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "BENCHMARK",
    commandListHeading = "%nBenchmarks:%n",
    subcommands = {})
public final class BenchCommand {}
