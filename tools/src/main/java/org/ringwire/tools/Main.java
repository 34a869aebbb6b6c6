package org.ringwire.tools;

import org.ringwire.tools.bench.BenchCommand;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.Output;
import org.ringwire.tools.console.Version;
import org.ringwire.tools.demo.DemoCommand;
import org.ringwire.tools.doctor.DoctorCommand;
import org.ringwire.tools.node.NodeCommand;
import org.ringwire.tools.node.PingCommand;
import org.ringwire.tools.process.ParentLink;
import org.ringwire.tools.soak.SoakCommand;
import org.ringwire.tools.top.TopCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of the command line: every subcommand is listed here. */
@Command(
    name = "ringwire",
    description = "Objects and requests between JVMs.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Exit status: 0 good, 1 something was checked and is wrong, 2 wrong use or environment,",
      "141 nobody reads the output any more.",
      "Each command explains itself: ./ringwire COMMAND --help"
    },
    versionProvider = Version.class,
    subcommands = {
      DemoCommand.class,
      BenchCommand.class,
      NodeCommand.class,
      PingCommand.class,
      SoakCommand.class,
      TopCommand.class,
      DoctorCommand.class
    })
public final class Main {

  private Main() {}

  /**
   * Runs one command and exits with its status: 0 good, 1 verification failed, 2 usage or
   * environment, 141 the output is a pipe that nobody reads.
   *
   * @param args the command and its options
   */
  public static void main(String... args) {
    Output.open();
    if (System.getenv(ParentLink.WATCH) != null) {
      ParentLink.endWithParent();
    }
    System.exit(Output.checked("ringwire", run(commandLine(), args)));
  }

  /** Runs one command; its status. An error of the JVM, or of what it loads, is one like others. */
  public static int run(CommandLine commands, String... args) {
    try {
      return commands.execute(args);
    } catch (Error e) { // picocli looks for exceptions only
      ErrorLine.say(commands, e);
      return ExitStatus.UNUSABLE;
    }
  }

  /** The commands, ready to parse. */
  public static CommandLine commandLine() {
    ErrorLine errors = new ErrorLine();
    return OptionValues.checkedBy(new CommandLine(new Main()))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionStrategy(Main::execute)
        .setExecutionExceptionHandler(errors)
        .setParameterExceptionHandler(errors);
  }

  /** Where help is asked for, picocli does not complain about commands that there are not. */
  private static int execute(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    CommandLine command = last.commandSpec().commandLine();
    boolean isUnknown = last.unmatched().stream().anyMatch(word -> !word.startsWith("-"));
    if (isUnknown && !command.getSubcommands().isEmpty()) {
      throw new UnmatchedArgumentException(command, last.unmatched());
    }
    OptionValues.requireElements(parsed);
    return new CommandLine.RunLast().execute(parsed);
  }
}
