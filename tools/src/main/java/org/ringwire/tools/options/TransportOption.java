package org.ringwire.tools.options;

import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** Which transport nodes use. */
public final class TransportOption {

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description =
          "tcp, ib over InfiniBand, shm within one machine, or, in benchmarks, loopback within one process;"
              + " default: ${DEFAULT-VALUE}",
      defaultValue = "tcp",
      showDefaultValue = Visibility.NEVER)
  private String name = "tcp";

  /** For picocli. */
  public TransportOption() {}

  /** What was given, whether there is such a transport or not. */
  public String name() {
    return name;
  }

  /**
   * The name of a transport that is installed.
   *
   * @throws org.ringwire.tools.console.CommandException if there is none
   */
  public String checked() {
    Transports.check(name);
    return name;
  }
}
