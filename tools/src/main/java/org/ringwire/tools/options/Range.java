package org.ringwire.tools.options;

import org.ringwire.tools.console.CommandException;

/** What numbers an option takes, said the same way by all commands. */
public final class Range {

  /** Beyond, not every whole number is a double. */
  private static final double MOST_EXACT = 1L << 53;

  private Range() {}

  /**
   * Complains about a number that an option does not take.
   *
   * @throws CommandException if it is less, more, or no number
   */
  public static void check(String option, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw refusal(option, text(value), text(least), text(most));
    }
  }

  /** The same for whole numbers. */
  public static void check(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw refusal(option, Long.toString(value), Long.toString(least), Long.toString(most));
    }
  }

  private static CommandException refusal(String option, String value, String least, String most) {
    return new CommandException(
        option + " takes a number from " + least + " to " + most + ", not " + value);
  }

  private static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) <= MOST_EXACT
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
