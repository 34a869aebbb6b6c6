package org.ringwire.benchmarks.runs;

import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.measure.WarmUp;
import picocli.CommandLine.Option;

/** Options of a command line that has systems run in turns: how often, and for how long. */
public final class RunOptions {
  @Option(
      names = "--attempts",
      defaultValue = "3",
      description = "how often a run is made that others disturbed (default 3)")
  private int attempts;

  @Option(names = "--rounds", defaultValue = "3", description = "default: 3")
  private int rounds;

  @Option(names = "--duration", defaultValue = "3", description = "seconds per run, default: 3")
  private double duration;

  @Option(
      names = "--warmup",
      defaultValue = "5..25",
      converter = WarmUp.Converter.class,
      description = "seconds before, or from A..B until the compilers rest; default: 5..25")
  private WarmUp warmup = new WarmUp(5, 25);

  /** How often a run is made that others disturbed. */
  public int attempts() {
    return attempts;
  }

  /** How often each system has its turn. */
  public int rounds() {
    return rounds;
  }

  /** Seconds that are measured of a run. */
  public double duration() {
    return duration;
  }

  /** What comes before that. */
  public WarmUp warmup() {
    return warmup;
  }

  /** What is wrong with them, for people, or null. */
  public @Nullable String problem() {
    if (attempts < 1 || attempts > 100) {
      return "--attempts must be 1..100";
    }
    if (rounds < 1 || rounds > 1000) {
      return "--rounds must be 1..1000";
    }
    if (!(duration > 0 && duration <= 3600)) {
      return "--duration must be above 0, to 3600";
    }
    return warmup.isWithin(3600)
        ? null
        : "--warmup must be within 0..3600, a range like 5..25 within 0.1..3600";
  }
}
