package org.ringwire.benchmarks.runs;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/** What figures are worth nothing without. */
public final class Conditions {
  private Conditions() {}

  /**
   * One line.
   *
   * @param machine what the machine did meanwhile, as {@link Runs#machine}
   */
  public static String text(RunOptions options, String machine) {
    String setting =
        String.format(
            Locale.ROOT,
            "Measured %s on %d cores, Linux %s, Java %s: median of %d rounds (smallest to largest),"
                + " %s s after a warm-up of %s, in turns.",
            LocalDate.now(ZoneOffset.UTC),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.version"),
            System.getProperty("java.version"),
            options.rounds(),
            Numbers.text(options.duration()),
            options.warmup().text());
    return setting + machine;
  }
}
