package org.ringwire.benchmarks.compare;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** What figures are worth nothing without. */
final class Conditions {
  /** Above this share of the machine for others, figures say little about anybody. */
  private static final double QUIET = 0.1;

  private Conditions() {}

  /**
   * One line.
   *
   * @param otherLoad share of the machine that other processes had, one value per run
   */
  static String text(int rounds, double duration, double warmup, List<Double> otherLoad) {
    String setting =
        String.format(
            Locale.ROOT,
            "Measured %s on %d cores, Linux %s, Java %s: median of %d rounds (smallest to largest),"
                + " %s s after %s s of warm-up, in turns.",
            LocalDate.now(ZoneOffset.UTC),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.version"),
            System.getProperty("java.version"),
            rounds,
            Numbers.text(duration),
            Numbers.text(warmup));
    if (otherLoad.isEmpty()) {
      return setting;
    }
    double worst = Collections.max(otherLoad);
    String load =
        String.format(
            Locale.ROOT,
            " Other processes had %.0f %% of the machine during the median run, %.0f %% during the"
                + " worst.",
            100 * Numbers.median(otherLoad),
            100 * worst);
    return setting + load + (worst > QUIET ? " **The machine was not quiet.**" : "");
  }
}
