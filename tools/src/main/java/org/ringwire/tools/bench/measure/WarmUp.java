package org.ringwire.tools.bench.measure;

import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.options.Range;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The run before a measurement, whose code is still being compiled: so long, or, if there is a
 * limit, until the compilers of both processes are at rest.
 *
 * <p>How long that takes depends on the machine and on how many threads want the cores that the
 * compilers want too, so a time that is enough for one system may be too short for another; what
 * rests has had its chance everywhere.
 *
 * @param seconds at least
 * @param longestSeconds at most; as {@code seconds} where nobody looks at the compilers
 */
public record WarmUp(double seconds, double longestSeconds) {

  /**
   * A row of short runs, not a long one. What happens for the first time, and be it that a thread
   * begins or ends, makes the virtual machine drop code that was compiled on the assumption that it
   * never does; then the first seconds after one long warm-up run in slow code.
   */
  private static final int PARTS = 5;

  /** Between two methods that are compiled there may be a second of nothing. */
  private static final double REST_SECONDS = 2;

  /** Of a core; some method or other is compiled as long as a JVM runs. */
  private static final double REST_SHARE = 0.05;

  /** Shorter parts say nothing about compilers. */
  private static final double LEAST_RANGE_SECONDS = 0.1;

  private static final String RANGE = "..";

  /** One of the runs that make up a warm-up. */
  @FunctionalInterface
  public interface Part<E extends Exception> {
    /**
     * Runs for this long.
     *
     * @return what {@link CompilerTime#millis} says in both processes, together
     */
    long run(double seconds) throws E;
  }

  /** So long, whatever the compilers do. */
  public static WarmUp of(double seconds) {
    return new WarmUp(seconds, seconds);
  }

  /** So many times as long. */
  public WarmUp times(double factor) {
    return new WarmUp(seconds * factor, longestSeconds * factor);
  }

  /** Whether the compilers have a say. */
  public boolean endsAtRest() {
    return longestSeconds != seconds;
  }

  /**
   * Complains about what cannot be had.
   *
   * @throws CommandException if it is too long, or no range
   */
  public void check(String option, double mostSeconds) {
    Range.check(option, seconds, least(), mostSeconds);
    Range.check(option, longestSeconds, seconds, mostSeconds);
  }

  private double least() {
    return endsAtRest() ? LEAST_RANGE_SECONDS : 0;
  }

  /**
   * Runs parts until it is over.
   *
   * @return the seconds that it took, as asked of the parts
   */
  public <E extends Exception> double run(Part<E> part) throws E {
    if (seconds <= 0) {
      return 0;
    }
    double length = seconds / PARTS;
    double rest = 0;
    long compiled = 0;
    int parts = 0;
    while (parts < PARTS || (rest < REST_SECONDS && (parts + 1) * length <= longestSeconds)) {
      long before = compiled;
      compiled = part.run(length);
      double share = Math.abs(compiled - before) / (1e3 * length); // less: a thread has ended
      rest = share < REST_SHARE ? rest + length : 0;
      parts++;
    }
    return parts * length;
  }

  /** For people: {@code 8 s}, or {@code 5 to 25 s, until the compilers rest}. */
  public String text() {
    return endsAtRest()
        ? text(seconds) + " to " + text(longestSeconds) + " s, until the compilers rest"
        : text(seconds) + " s";
  }

  private static String text(double seconds) {
    return Double.toString(seconds).replaceFirst("\\.0$", "");
  }

  /** As it is written on a command line. */
  @Override
  public String toString() {
    return endsAtRest() ? seconds + RANGE + longestSeconds : Double.toString(seconds);
  }

  /** From a command line: {@code 8}, or {@code 5..25}; whoever has the option checks the range. */
  public static final class Converter implements ITypeConverter<WarmUp> {
    @Override
    public WarmUp convert(String text) {
      int range = text.indexOf(RANGE);
      WarmUp warmUp = parse(text, range);
      if (warmUp.longestSeconds < warmUp.seconds) {
        throw new TypeConversionException("the range '" + text + "' ends before it begins");
      }
      return warmUp;
    }

    private static WarmUp parse(String text, int range) {
      try {
        return range < 0
            ? of(Double.parseDouble(text))
            : new WarmUp(
                Double.parseDouble(text.substring(0, range)),
                Double.parseDouble(text.substring(range + RANGE.length())));
      } catch (NumberFormatException e) {
        throw new TypeConversionException(
            "'" + text + "' is neither seconds, like 8, nor a range of them, like 5..25");
      }
    }
  }
}
