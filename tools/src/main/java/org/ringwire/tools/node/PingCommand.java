package org.ringwire.tools.node;

import java.io.PrintWriter;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.Tls;
import org.ringwire.tools.bench.measure.RttMicros;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.NoAnswer;
import org.ringwire.tools.console.Problem;
import org.ringwire.tools.console.Version;
import org.ringwire.tools.options.ClusterOptions;
import org.ringwire.tools.options.Range;
import org.ringwire.tools.process.Leftovers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Pings a node, as a peer that does not listen. */
@Command(
    name = "ping",
    description = {
      "Send requests to a node that was started with ./ringwire node, and time the answers.",
      "Exit status: 0 all answered, 1 some, 2 none."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
public final class PingCommand implements Callable<Integer> {

  /** Ids that pings give themselves, so that two at a time rarely meet. */
  private static final int FIRST_OWN_ID = 60_000;

  /** The first answer takes a connection, which takes longer than an answer. */
  private static final long CONNECT_MS = 5_000;

  @Spec private @Nullable CommandSpec command;

  @Parameters(
      paramLabel = "HOST:PORT",
      description = "where the node listens; [HOST]:PORT for IPv6")
  private String address = "";

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--id",
      paramLabel = "N",
      description = "id of the node; default: whichever node is there")
  private @Nullable Integer id;

  @Option(
      names = "--as",
      paramLabel = "N",
      description =
          "id that this process gives itself; default: that of its certificate, or one above 60000")
  private @Nullable Integer ownId;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "pings; default: ${DEFAULT-VALUE}",
      defaultValue = "10")
  private int count;

  @Option(
      names = "--interval",
      paramLabel = "MS",
      description = "milliseconds between pings; default: ${DEFAULT-VALUE}",
      defaultValue = "100")
  private long intervalMs;

  @Option(
      names = "--timeout",
      paramLabel = "MS",
      description = "milliseconds to wait for an answer; default: ${DEFAULT-VALUE}",
      defaultValue = "1000")
  private long timeoutMs;

  @Option(
      names = "--payload",
      paramLabel = "BYTES",
      description = "bytes in each ping; default: ${DEFAULT-VALUE}",
      defaultValue = "64")
  private int payload;

  @Option(names = "--json", description = "print one line of JSON on standard output, nothing else")
  private boolean json;

  private final Histogram ns = RttMicros.newHistogram();
  private @Nullable MessagingException lastFailure;

  /** For picocli. */
  public PingCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Range.check("--count", count, 1, 1_000_000_000);
    Range.check("--interval", intervalMs, 0, 86_400_000);
    Range.check("--timeout", timeoutMs, 1, 86_400_000);
    Range.check("--payload", payload, 0, 32 << 20);
    if (id != null) {
      ClusterOptions.checkId("--id", id);
    }
    cluster.checkAddress("HOST:PORT", address);
    Tls tls = cluster.tls();
    int own = cluster.ownId(ownId, FIRST_OWN_ID, tls);
    if (id != null && id == own) {
      throw new CommandException("--id and --as must differ, both are " + id);
    }
    var commandLine = Objects.requireNonNull(command).commandLine();
    PrintWriter out = commandLine.getOut();
    PrintWriter err = commandLine.getErr();
    Duration connectTimeout = Duration.ofMillis(Math.max(timeoutMs, CONNECT_MS));
    NodeConfig config =
        cluster
            .settings(own, MethodHandles.lookup(), tls)
            .peers(_ -> address)
            .connectTimeout(connectTimeout)
            .build();
    PingResult result;
    try (Node node = Leftovers.open(config)) {
      result = ping(node, connectTimeout, json ? err : out);
    }
    out.println(json ? JsonLine.of(result) : forPeople(result));
    out.flush();
    if (lastFailure != null && result.received() == 0) {
      throw new CommandException(NoAnswer.describe(address, lastFailure), lastFailure);
    }
    return result.received() == result.sent() ? ExitStatus.GOOD : ExitStatus.NOT_VERIFIED;
  }

  private PingResult ping(Node node, Duration connectTimeout, PrintWriter progress)
      throws InterruptedException {
    byte[] bytes = new byte[payload];
    new Random(payload).nextBytes(bytes);
    Introduction introduction = new Introduction(node, address, bytes, connectTimeout);
    int target = id == null ? introduction.toAny() : introduction.to(id);
    int received = 0;
    for (int i = 0; i < count; i++) {
      if (i > 0 && intervalMs > 0) {
        Thread.sleep(intervalMs);
      }
      String outcome;
      try {
        long tookNs = roundTrip(node, target, new Echo(i, bytes));
        ns.recordValue(tookNs);
        received++;
        outcome = String.format(Locale.ROOT, "%.1f us", tookNs / 1e3);
      } catch (MessagingException e) {
        lastFailure = e;
        outcome = Problem.describe(e);
      }
      progress.println("ping " + i + " to node " + target + ": " + outcome);
      progress.flush();
    }
    return new PingResult(count, received, received == 0 ? null : RttMicros.of(ns));
  }

  private long roundTrip(Node node, int target, Echo echo) {
    long start = System.nanoTime();
    Echo answer = node.request(target, echo, Echo.class, Duration.ofMillis(timeoutMs));
    long tookNs = System.nanoTime() - start;
    if (answer.id() != echo.id() || !Arrays.equals(answer.payload(), echo.payload())) {
      throw new CommandException("ping " + echo.id() + " came back as something else");
    }
    return tookNs;
  }

  private static String forPeople(PingResult result) {
    String counts = result.sent() + " sent, " + result.received() + " received";
    RttMicros rtt = result.rttMicros();
    return rtt == null ? counts : counts + "; round trip in us: " + rtt.forPeople();
  }
}
