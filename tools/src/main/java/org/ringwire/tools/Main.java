package org.ringwire.tools;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the command line: every subcommand is listed here. */
@Command(
    name = "ringwire",
    description = "Objects and requests between JVMs.",
    mixinStandardHelpOptions = true,
    version = "ringwire 0.1.0-SNAPSHOT")
public final class Main {
  private Main() {}

  /**
   * Runs one command and exits with its status: 0 good, 1 verification failed, 2 usage or
   * environment.
   *
   * @param args the command and its options
   */
  public static void main(String... args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
