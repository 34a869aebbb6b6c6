package org.ringwire.benchmarks.heap;

import java.util.concurrent.Callable;
import org.ringwire.tools.ErrorLine;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.Output;
import org.ringwire.tools.process.Leftovers;
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
    CommandLine line =
        new CommandLine(program)
            .setUsageHelpAutoWidth(true)
            .setParameterExceptionHandler(new ErrorLine())
            .setExecutionExceptionHandler((e, _, _) -> {
              if (Leftovers.areBeingCleared()) {
                return ExitStatus.UNUSABLE; // whoever has ended this process knows why
              }
              throw e;
            });
    System.exit(Output.checked(NAME, line.execute(words)));
  }
}
