package org.ringwire.tools.top;

import java.io.Console;
import java.io.PrintWriter;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeMetrics;
import org.ringwire.Tls;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.Output;
import org.ringwire.tools.console.Progress;
import org.ringwire.tools.console.Version;
import org.ringwire.tools.options.ClusterOptions;
import org.ringwire.tools.options.Range;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Shows how a running node is doing, again and again. */
@Command(
    name = "top",
    description = {
      "Show how a running node is doing: connections, rates, how full windows are, queues, and the"
          + " slowest handlers.",
      "By address it asks the node, as an authenticated peer; the node must allow it"
          + " (NodeConfig.inspectable). By process id it looks into a JVM of the same user on this"
          + " machine (NodeManagement.register). Nodes of ./ringwire node allow both."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
public final class TopCommand implements Callable<Integer> {

  /** Ids that this command gives itself, beside those of pings. */
  private static final int FIRST_OWN_ID = 55_000;

  /** Options of those who connect to a node. */
  private static final List<String> OF_PEERS =
      List.of(
          "--as",
          "--cluster",
          "--transport",
          "--secret-file",
          "--tls-identity",
          "--tls-trust",
          "--tls-password-file");

  @Spec private @Nullable CommandSpec command;

  @Parameters(paramLabel = "HOST:PORT|PID", description = "where the node listens, or its process")
  private String target = "";

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--id",
      paramLabel = "N",
      description = "which node, if the process has several; default: the only one")
  private @Nullable Integer id;

  @Option(
      names = "--as",
      paramLabel = "N",
      description =
          "id that this process gives itself as a peer; default: that of its certificate, or one"
              + " above 55000")
  private @Nullable Integer ownId;

  @Option(
      names = "--interval",
      paramLabel = "S",
      description = "seconds between two looks; default: ${DEFAULT-VALUE}",
      defaultValue = "1")
  private double intervalSeconds;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "how often to show something; default: until interrupted")
  private @Nullable Long count;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "connections that are shown at most; default: ${DEFAULT-VALUE}",
      defaultValue = "20")
  private int rows;

  @Option(
      names = "--json",
      description = "print a line of JSON on standard output each time, nothing else")
  private boolean json;

  /** For picocli. */
  public TopCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Range.check("--interval", intervalSeconds, 0.01, 86_400);
    if (count != null && count < 1) {
      throw new CommandException("--count must be 1 or more, not " + count);
    }
    if (rows < 0) {
      throw new CommandException("--rows must be 0 or more, not " + rows);
    }
    PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
    try (MetricsSource source = open()) {
      show(source, out);
    }
    return ExitStatus.GOOD;
  }

  private MetricsSource open() {
    if (!target.matches("\\d+")) {
      refuse(
          "chooses among the nodes of a process: leave it out, a node at an address is the only one",
          List.of("--id"));
      cluster.checkAddress("HOST:PORT", target);
      Tls tls = cluster.tls();
      int own = cluster.ownId(ownId, FIRST_OWN_ID, tls);
      return PeerSource.connect(
          cluster.settings(own, MethodHandles.lookup(), tls).peers(_ -> target).build(), target);
    }
    refuse("is for a node at an address, not for a process: leave it out", OF_PEERS);
    try {
      return ProcessSource.attach(Long.parseLong(target), id);
    } catch (NumberFormatException e) {
      throw new CommandException("there is no process " + target, e);
    }
  }

  private void refuse(String why, List<String> options) {
    ParseResult given = Objects.requireNonNull(command).commandLine().getParseResult();
    for (String option : options) {
      if (given.hasMatchedOption(option)) {
        throw new CommandException(option + " " + why);
      }
    }
  }

  @SuppressWarnings("SystemConsoleNull") // it is null in processes whose streams are redirected
  private void show(MetricsSource source, PrintWriter out) throws InterruptedException {
    Console console = System.console();
    boolean terminal = !json && Progress.canErase() && console != null && console.isTerminal();
    NodeMetrics before = source.read();
    for (long shown = 0; count == null || shown < count; shown++) {
      TimeUnit.NANOSECONDS.sleep((long) (intervalSeconds * 1e9));
      NodeMetrics now = source.read();
      boolean restarted = now.nodeId() != before.nodeId() || now.ageNs() < before.ageNs();
      TopResult result = TopResult.between(restarted ? now : before, now);
      if (json) {
        out.println(JsonLine.of(result));
      } else {
        List<String> lines = TopScreen.of(source.name(), result, rows);
        if (terminal) {
          out.print(Terminal.now().picture(lines));
        } else {
          out.print(shown == 0 ? "" : System.lineSeparator());
          lines.forEach(out::println);
        }
      }
      out.flush();
      if (out.checkError() || Output.hasFailed()) {
        return; // nobody reads it any more
      }
      before = now;
    }
  }
}
