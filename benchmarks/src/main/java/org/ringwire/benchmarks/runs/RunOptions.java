package org.ringwire.benchmarks.runs;

import org.ringwire.tools.bench.measure.WarmUp;
import org.ringwire.tools.options.Range;
import picocli.CommandLine.Option;

/** Options of a command line that has systems run in turns: how often, and for how long. */
public final class RunOptions {
  private static final double MAX_SECONDS = 3600;

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

  /**
   * Complains about what cannot be had.
   *
   * @throws org.ringwire.tools.console.CommandException if there is something
   */
  public void check() {
    Range.check("--attempts", attempts, 1, 100);
    Range.check("--rounds", rounds, 1, 1000);
    Range.check("--duration", duration, 0.01, MAX_SECONDS);
    warmup.check("--warmup", MAX_SECONDS);
  }
}
