package org.ringwire.benchmarks.runs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How much of the machine others had during the runs, and which runs are made again for that: what
 * a figure says of a machine that a neighbour takes away for a moment is about the neighbour. The
 * decision knows the load alone, never the figure.
 */
public final class Disturbances {
  /** Above this share of the machine for others, a figure says little about anybody. */
  static final double QUIET = 0.1;

  private final int mostAttempts;
  private final List<Double> shares = new ArrayList<>();
  private @Nullable Double last;
  private int attempts;
  private int repeated;

  /**
   * @param mostAttempts of one run; then the last one counts, and the text says how busy it was
   */
  Disturbances(int mostAttempts) {
    this.mostAttempts = mostAttempts;
  }

  void startRun() {
    attempts = 0;
    last = null;
  }

  /**
   * An attempt is over.
   *
   * @param others share of the machine that other processes or the hypervisor had, 0 to 1; null
   *     where nobody knows
   */
  void attempted(@Nullable Double others) {
    if (attempts > 0) {
      repeated++;
      if (last != null) {
        shares.removeLast();
      }
    }
    attempts++;
    last = others;
    if (others != null) {
      shares.add(others);
    }
  }

  /** Whether the last attempt was disturbed and may be made again. */
  boolean callForAnother() {
    return last != null && last > QUIET && attempts < mostAttempts;
  }

  /** One line, or nothing where nobody knows. */
  String text() {
    if (shares.isEmpty()) {
      return "";
    }
    double worst = Collections.max(shares);
    String text =
        String.format(
            Locale.ROOT,
            " Other processes and the hypervisor had %.0f %% of the machine during the median run,"
                + " %.0f %% during the worst.",
            100 * Numbers.median(shares),
            100 * worst);
    if (repeated > 0) {
      text += String.format(Locale.ROOT, " %d runs were made again for that.", repeated);
    }
    return text + (worst > QUIET ? " **The machine was not quiet.**" : "");
  }
}
