package org.ringwire.benchmarks;

import java.util.Arrays;
import java.util.Locale;
import org.ringwire.tools.ErrorLine;
import org.ringwire.tools.console.Text;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** What is wrong with the words of a command line, for people. */
public final class WrongWord {
  private WrongWord() {}

  /** The message of an error; constants are written as they are typed. */
  public static String describe(ParameterException error) {
    if (!(error.getArgSpec() instanceof OptionSpec option)
        || !option.auxiliaryTypes()[0].isEnum()
        || error.getValue() == null) {
      return ErrorLine.describe(error);
    }
    String[] words =
        Arrays.stream(option.auxiliaryTypes()[0].getEnumConstants())
            .map(each -> each.toString().toLowerCase(Locale.ROOT))
            .toArray(String[]::new);
    return "%s must be one of %s, not %s"
        .formatted(option.longestName(), String.join(", ", words), Text.shown(error.getValue()));
  }
}
