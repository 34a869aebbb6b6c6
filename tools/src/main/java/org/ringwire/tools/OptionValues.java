package org.ringwire.tools;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.TypeConversionException;

/**
 * What holds for the values of all options, whichever command has them. An empty one is mostly a
 * variable of a shell that was not set: as a file it would be the current folder, and of a list it
 * would disappear, so that an empty list would stand for everything.
 */
public final class OptionValues {

  private static final String COMMA = ",";

  private OptionValues() {}

  /** Makes a command line, all of whose commands have been added, refuse empty values. */
  public static CommandLine checkedBy(CommandLine line) {
    return line.registerConverter(Path.class, OptionValues::path)
        .setExecutionStrategy(OptionValues::execute);
  }

  private static Path path(String text) {
    if (text.isBlank()) {
      throw new TypeConversionException("empty");
    }
    return Path.of(text);
  }

  private static int execute(ParseResult parsed) {
    requireElements(parsed);
    return new RunLast().execute(parsed);
  }

  /**
   * Complains about lists like {@code 1,,2} and {@code 1,}.
   *
   * @throws ParameterException if there is one
   */
  static void requireElements(ParseResult parsed) {
    for (OptionSpec option : parsed.matchedOptions()) {
      for (String value : option.originalStringValues()) {
        if (option.splitRegex().equals(COMMA) && hasEmptyElement(value)) {
          throw new ParameterException(
              parsed.commandSpec().commandLine(),
              option.longestName()
                  + " takes values with commas between them, none of them empty, not '"
                  + value
                  + "'");
        }
      }
    }
    if (parsed.hasSubcommand()) {
      requireElements(parsed.subcommand());
    }
  }

  private static boolean hasEmptyElement(String value) {
    return List.of(value.split(COMMA, -1)).stream().anyMatch(String::isBlank);
  }
}
