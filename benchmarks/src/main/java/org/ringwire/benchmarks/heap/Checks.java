package org.ringwire.benchmarks.heap;

import org.ringwire.tools.console.Text;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What the words of a command line may be. */
public final class Checks {
  public static final int MAX_ROUNDS = 10_000;
  static final int MAX_ELEMENTS = 1 << 22;

  private Checks() {}

  static void shape(CommandLine line, String shape) {
    if (!Graph.SHAPES.contains(shape)) {
      throw new ParameterException(
          line,
          "--shape must be one of "
              + String.join(", ", Graph.SHAPES)
              + ", not "
              + Text.shown(shape));
    }
  }

  public static void range(CommandLine line, String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new ParameterException(line, option + " must be in 1.." + most + ", not " + value);
    }
  }
}
