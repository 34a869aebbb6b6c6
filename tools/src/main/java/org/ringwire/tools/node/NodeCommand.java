package org.ringwire.tools.node;

import java.io.PrintWriter;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.ringwire.Authentication;
import org.ringwire.AuthenticationRequiredException;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.management.NodeManagement;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.Output;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.console.Version;
import org.ringwire.tools.options.ClusterOptions;
import org.ringwire.tools.options.Range;
import org.ringwire.tools.options.Transports;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A node that runs until it is told to end. */
@Command(
    name = "node",
    description = {
      "Run a node that answers pings, until it receives SIGTERM or SIGINT.",
      "Prints READY and the address when it listens. At the end it finishes what was accepted, says"
          + " on the error output how much it handled, and exits with status 0."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
public final class NodeCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec command;

  @Option(
      names = "--id",
      required = true,
      paramLabel = "N",
      description = "id of the node, 0 to 65535")
  private int id;

  @Option(
      names = "--listen",
      required = true,
      paramLabel = "HOST:PORT",
      description = "address to listen on; [HOST]:PORT for IPv6; port 0 is any that is free")
  private String listen = "";

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--open",
      description =
          "let whoever reaches the address connect, without a secret; needed only for addresses that"
              + " other machines can reach")
  private boolean open;

  @Option(
      names = "--local-transport",
      paramLabel = "NAME",
      description =
          "transport for peers of this machine and user that prefer it too: shm; default: none")
  private @Nullable String localTransport;

  @Option(
      names = "--peers",
      paramLabel = "FILE",
      description =
          "where other nodes are, read again when it changes: {\"2\": \"host:port\", ...}")
  private @Nullable Path peers;

  @Option(
      names = "--drain",
      paramLabel = "S",
      description = "seconds that finishing may take at the end; default: ${DEFAULT-VALUE}",
      defaultValue = "5")
  private double drainSeconds;

  private final LongAdder echoes = new LongAdder();

  /** For picocli. */
  public NodeCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    ClusterOptions.checkId("--id", id);
    Range.check("--drain", drainSeconds, 0.001, 86_400);
    cluster.checkAddress("--listen", listen);
    NodeDirectory directory = peers == null ? NodeDirectory.empty() : PeersFile.watch(peers);
    NodeConfig.Builder settings =
        cluster
            .settings(id, MethodHandles.lookup(), cluster.tls())
            .listen(listen)
            .peers(directory)
            .inspectable();
    if (localTransport != null) {
      if (cluster.tls() != null) {
        throw new CommandException("--local-transport excludes --tls-identity");
      }
      Transports.check(localTransport);
      settings.localTransport(localTransport);
    }
    Node node = open(settings);
    var commandLine = Objects.requireNonNull(command).commandLine();
    PrintWriter err = commandLine.getErr();
    Thread drain = new Thread(() -> drain(node, err), "drain");
    Runtime.getRuntime().addShutdownHook(drain);
    try {
      NodeManagement.register(node); // until the process ends
    } catch (RuntimeException | Error e) { // which is no end that somebody has asked for
      forget(drain);
      node.close();
      throw e;
    }
    PrintWriter out = commandLine.getOut();
    out.println("READY " + node.address());
    out.flush();
    if (Output.hasFailed()) { // whoever waits for this line is not told
      forget(drain);
      node.close();
      return ExitStatus.UNUSABLE;
    }
    new CountDownLatch(1).await();
    return ExitStatus.GOOD;
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // the end has begun, as nobody reads the output
    }
  }

  /** Before anybody can connect: who comes at once is answered, too. */
  private void answerPings(Node node) {
    node.handle(
        Echo.class,
        Dispatch.INLINE,
        (echo, exchange) -> {
          if (echo.id() >= 0) {
            echoes.increment();
          }
          if (exchange.isRequest()) {
            exchange.reply(echo);
          }
        });
  }

  private Node open(NodeConfig.Builder settings) {
    NodeConfig config = settings.build();
    if (open && (config.authentication().secret() != null || config.tls() != null)) {
      throw new CommandException("--open excludes --secret-file and --tls-identity");
    }
    try {
      return Node.open(
          open ? settings.authentication(Authentication.none()).build() : config,
          this::answerPings);
    } catch (AuthenticationRequiredException e) {
      throw new CommandException(
          "other machines could connect to "
              + listen
              + ": give --secret-file FILE or --tls-identity FILE, or --open to let them, or listen"
              + " on 127.0.0.1",
          e);
    }
  }

  /** Runs as a shutdown hook: halting is what makes the status of a SIGTERM 0. */
  private void drain(Node node, PrintWriter err) {
    if (Output.hasFailed()) {
      node.close();
      return; // with the status that the process has already
    }
    int status = ExitStatus.GOOD;
    try {
      CloseReport report = node.close(Duration.ofMillis(Math.round(drainSeconds * 1e3)));
      err.println("node " + id + " handled " + echoes.sum() + " messages");
      report
          .undelivered()
          .forEach(loss ->
              err.println(
                  Text.format(
                      "not delivered to node %d: %d lost, %d uncertain",
                      loss.nodeId(), loss.lost(), loss.uncertain())));
      if (report.abandoned() + report.unanswered() > 0) {
        err.println(
            Text.format(
                "not handled: %d, requests not answered: %d",
                report.abandoned(), report.unanswered()));
      }
    } catch (RuntimeException | Error e) {
      err.println("closing failed: " + e);
      status = ExitStatus.UNUSABLE;
    } finally {
      err.flush();
      Runtime.getRuntime().halt(status);
    }
  }
}
