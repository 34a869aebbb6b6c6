package org.ringwire.tools;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.Nearest;
import org.ringwire.tools.console.Problem;
import org.ringwire.tools.console.RunFailedException;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.process.Leftovers;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Whatever goes wrong becomes one line on the error output and, unless said otherwise, status 2.
 * Stack traces are shown when the environment variable {@code RINGWIRE_STACK_TRACES} is set.
 */
public final class ErrorLine implements IExecutionExceptionHandler, IParameterExceptionHandler {

  private static final String SHOW_TRACES = "RINGWIRE_STACK_TRACES";

  private static final Set<Class<?>> INTEGERS =
      Set.of(int.class, Integer.class, long.class, Long.class);

  private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");

  private final int failure;

  /** For a command line, both as what handles its executions and its parameters. */
  public ErrorLine() {
    this(ExitStatus.UNUSABLE);
  }

  /**
   * The same for a program that tells its failures from those to use it.
   *
   * @param failure the status of what fails, but is no {@link CommandException}
   */
  public ErrorLine(int failure) {
    this.failure = failure;
  }

  @Override
  public int handleParseException(ParameterException error, String[] args) {
    CommandLine command = error.getCommandLine();
    print(command, describe(error), "; see " + help(command), error);
    return ExitStatus.UNUSABLE;
  }

  @Override
  public int handleExecutionException(
      Exception error, CommandLine command, ParseResult parseResult) {
    if (error instanceof ParameterException wrongUse) {
      return handleParseException(wrongUse, new String[0]);
    }
    say(command, error);
    return switch (error) {
      case CommandException _ -> ExitStatus.UNUSABLE;
      case RunFailedException _ -> ExitStatus.NOT_VERIFIED;
      default -> failure;
    };
  }

  /** Says what a command has failed with. */
  static void say(CommandLine command, Throwable error) {
    print(command, Problem.describe(error), "", error);
  }

  /** What is wrong with the words of a command line, for people, in one line. */
  public static String describe(ParameterException error) {
    if (error instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()
        && !unmatched.getCommandLine().getSubcommands().isEmpty()) {
      String word = unmatched.getUnmatched().getFirst();
      if (!word.startsWith("-")) {
        return "unknown command '" + word + "'" + nearest(word, unmatched.getCommandLine());
      }
    }
    if (error.getArgSpec() instanceof OptionSpec option && error.getValue() != null) {
      String value = error.getValue();
      Optional<String> taken = taken(option, value);
      if (taken.isPresent()) {
        return option.longestName() + " takes " + taken.get() + ", not " + Text.shown(value);
      }
    }
    return Problem.describe(new CommandException(String.valueOf(error.getMessage()), error));
  }

  /** What an option takes in place of a value that could not be converted, if this says more. */
  private static Optional<String> taken(OptionSpec option, String value) {
    Class<?> type = option.auxiliaryTypes()[0];
    if (type.isEnum()) {
      return Optional.of(option.paramLabel()); // not all constants are for people
    }
    if (type == Path.class) {
      return Optional.of("a path");
    }
    if (type == double.class) {
      return Optional.of("a number");
    }
    if (INTEGERS.contains(type)) {
      return Optional.of(
          WHOLE_NUMBER.matcher(value).matches()
              ? "numbers that are not as large"
              : "a whole number");
    }
    return Optional.empty();
  }

  private static String nearest(String word, CommandLine command) {
    List<String> names = List.copyOf(command.getSubcommands().keySet());
    return Nearest.of(word, names).map(best -> ", did you mean '" + best + "'?").orElse("");
  }

  private static String help(CommandLine command) {
    return "./" + command.getCommandSpec().qualifiedName() + " --help";
  }

  private static void print(CommandLine command, String problem, String hint, Throwable error) {
    if (Leftovers.areBeingCleared()) {
      return; // whoever has ended this process knows why
    }
    PrintWriter err = command.getErr();
    err.println(command.getCommandSpec().qualifiedName() + ": " + problem + hint);
    if (System.getenv(SHOW_TRACES) != null) {
      error.printStackTrace(err);
    }
    err.flush();
  }
}
