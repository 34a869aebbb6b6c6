package org.ringwire.benchmarks.heap;

import java.util.concurrent.Callable;
import org.ringwire.tools.ErrorLine;
import org.ringwire.tools.Main;
import org.ringwire.tools.OptionValues;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.Output;
import picocli.CommandLine;

/** How the programs behind {@code ./ringwire bench heap} run. */
public final class HeapProgram {
  private static final String NAME = "ringwire bench heap";

  private HeapProgram() {}

  /**
   * Parses the words, runs, exits: with the status of the program, 1 if it has failed, or 2 for a
   * command line that is wrong.
   *
   * @param words the command line
   */
  public static void run(Callable<Integer> program, String[] words) {
    Output.open();
    ErrorLine errors = new ErrorLine(ExitStatus.NOT_VERIFIED);
    CommandLine line =
        OptionValues.checkedBy(new CommandLine(program))
            .setUsageHelpAutoWidth(true)
            .setParameterExceptionHandler(errors)
            .setExecutionExceptionHandler(errors);
    System.exit(Output.checked(NAME, Main.run(line, words)));
  }
}
