package org.ringwire.benchmarks.runs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Something that Ringwire promises about its speed.
 *
 * @param id for {@code --only}
 * @param unit of the figures that the contenders' results give
 * @param subject Ringwire
 * @param others measured in turns with it
 */
public record Target(
    String id,
    String title,
    String unit,
    Contender subject,
    List<Contender> others,
    List<Goal> goals) {

  /** The program that a command belongs to. */
  public enum Program {
    RINGWIRE,
    REFERENCE
  }

  /**
   * One command and the figure in its result.
   *
   * @param words after the program's own
   */
  public record Contender(
      String name, Program program, List<String> words, ToDoubleFunction<JsonNode> figure) {}

  /**
   * What is promised: a ratio of the subject to another contender, or a value of its own.
   *
   * @param versus name of a contender, or null for a bound on the subject's figure
   * @param atLeast whether the limit is a lower bound
   */
  public record Goal(@Nullable String versus, boolean atLeast, double limit) {
    boolean isMetBy(double value) {
      return atLeast ? value >= limit : value <= limit;
    }

    public String text(String unit) {
      String bound = atLeast ? "at least" : "at most";
      return versus == null
          ? String.format(Locale.ROOT, "%s %s %s", bound, Numbers.text(limit), unit)
          : String.format(Locale.ROOT, "%s %s times", bound, Numbers.text(limit));
    }
  }

  public List<Contender> contenders() {
    return Stream.concat(Stream.of(subject), others.stream()).toList();
  }
}
