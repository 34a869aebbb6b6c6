package org.ringwire.testing;

import java.util.List;
import java.util.regex.Pattern;

/** Which classes of the library a JVM has initialised, by its log ({@code -Xlog:class+init}). */
public final class InitialisedClasses {

  /** As the JVM logs a class that has something to initialise. */
  private static final Pattern INITIALISED =
      Pattern.compile("Initializing '(org/ringwire/[^']*)' \\(0x");

  private InitialisedClasses() {}

  /**
   * Their names, with slashes.
   *
   * @param first a line of the output, after which they count
   * @param last a line of it, up to which they do
   * @param output of the program, with its log
   */
  public static List<String> between(String first, String last, String output) {
    List<String> lines = output.lines().toList();
    int from = lines.indexOf(first);
    int to = lines.indexOf(last);
    if (from < 0 || to < from) {
      throw new AssertionError("no lines " + first + " and " + last + ": " + output);
    }
    if (!INITIALISED.matcher(output).find()) { // or whoever expects none would find none for ever
      throw new AssertionError("no class is logged as they were: " + output);
    }
    return lines.subList(from, to).stream()
        .flatMap(line -> INITIALISED.matcher(line).results())
        .map(result -> result.group(1))
        .toList();
  }
}
