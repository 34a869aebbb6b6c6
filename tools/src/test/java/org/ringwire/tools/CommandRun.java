package org.ringwire.tools;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * One command, run in this process.
 *
 * @param status its exit status
 * @param out what it printed
 * @param err its error output
 */
public record CommandRun(int status, String out, String err) {

  /** Runs a command as {@link Main} does. */
  public static CommandRun of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = Main.run(command, args);
    command.getOut().flush();
    return new CommandRun(status, out.toString(), err.toString());
  }
}
