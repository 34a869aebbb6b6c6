package org.ringwire.tools;

import java.io.PrintWriter;
import java.util.List;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.Nearest;
import org.ringwire.tools.console.Problem;
import org.ringwire.tools.process.Leftovers;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Whatever goes wrong becomes one line on the error output and status 2. Stack traces are shown
 * when the environment variable {@code RINGWIRE_STACK_TRACES} is set.
 */
public final class ErrorLine implements IExecutionExceptionHandler, IParameterExceptionHandler {

  private static final String SHOW_TRACES = "RINGWIRE_STACK_TRACES";

  /** For a command line, both as what handles its executions and its parameters. */
  public ErrorLine() {}

  @Override
  public int handleParseException(ParameterException error, String[] args) {
    CommandLine command = error.getCommandLine();
    return print(command, problem(error), "; see " + help(command), error);
  }

  @Override
  public int handleExecutionException(
      Exception error, CommandLine command, ParseResult parseResult) {
    if (error instanceof ParameterException wrongUse) {
      return handleParseException(wrongUse, new String[0]);
    }
    return failed(command, error);
  }

  /** Says what a command has failed with. */
  static int failed(CommandLine command, Throwable error) {
    return print(command, Problem.describe(error), "", error);
  }

  private static String problem(ParameterException error) {
    if (error instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()
        && !unmatched.getCommandLine().getSubcommands().isEmpty()) {
      String word = unmatched.getUnmatched().getFirst();
      if (!word.startsWith("-")) {
        return "unknown command '" + word + "'" + nearest(word, unmatched.getCommandLine());
      }
    }
    if (error.getArgSpec() instanceof OptionSpec option
        && option.auxiliaryTypes()[0].isEnum()
        && error.getValue() != null) { // not all constants are for people
      return option.longestName() + " takes " + option.paramLabel() + ", not " + error.getValue();
    }
    return Problem.describe(new CommandException(String.valueOf(error.getMessage()), error));
  }

  private static String nearest(String word, CommandLine command) {
    List<String> names = List.copyOf(command.getSubcommands().keySet());
    return Nearest.of(word, names).map(best -> ", did you mean '" + best + "'?").orElse("");
  }

  private static String help(CommandLine command) {
    return "./" + command.getCommandSpec().qualifiedName() + " --help";
  }

  private static int print(CommandLine command, String problem, String hint, Throwable error) {
    if (Leftovers.areBeingCleared()) {
      return ExitStatus.UNUSABLE; // whoever has ended this process knows why
    }
    PrintWriter err = command.getErr();
    err.println(command.getCommandSpec().qualifiedName() + ": " + problem + hint);
    if (System.getenv(SHOW_TRACES) != null) {
      error.printStackTrace(err);
    }
    err.flush();
    return ExitStatus.UNUSABLE;
  }
}
