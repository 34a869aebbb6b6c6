package org.ringwire.tools.demo;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.tools.CommandException;
import org.ringwire.tools.ExitStatus;
import org.ringwire.tools.JsonLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The main job: search and PageRank over the classes of the JDK, spread over several nodes. */
@Command(
    name = "demo",
    description = {
      "Search and rank the classes of the running JDK on several nodes.",
      "Each node owns a share of the classes and sends one message per reference that leads to"
          + " another node. The result is compared with that of a single process."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class DemoCommand implements Callable<Integer> {

  private static final int MAX_NODES = 64;
  private static final int MAX_ROUNDS = 10_000;

  @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes, 1 to " + MAX_NODES)
  private int nodes = 3;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "tcp: every node is a process; loopback: all nodes in this process")
  private String transport = "tcp";

  @Option(names = "--root", paramLabel = "CLASS", description = "Where the search starts")
  private String root = "java.lang.Object";

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds of PageRank, 1 to " + MAX_ROUNDS)
  private int rounds = 20;

  @Option(names = "--json", description = "Print the result as one line of JSON")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    PrintWriter err = spec.commandLine().getErr();
    Progress progress = new Progress(err, Progress.isTerminal());
    checkOptions();
    JdkClasses classes = JdkClasses.list();
    int rootVertex = RootClass.find(classes, root);
    try (Cluster cluster = open(classes)) {
      return run(classes, rootVertex, cluster, progress);
    } finally {
      progress.clear();
    }
  }

  private void checkOptions() {
    range("--nodes", nodes, MAX_NODES);
    range("--rounds", rounds, MAX_ROUNDS);
    if (!transport.equals("tcp") && !transport.equals("loopback")) {
      throw new CommandException(
          "unknown transport '" + transport + "'; --transport takes tcp or loopback");
    }
  }

  private static void range(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new CommandException(option + " takes a number from 1 to " + most + ", not " + value);
    }
  }

  private Cluster open(JdkClasses classes) {
    return transport.equals("loopback")
        ? LoopbackCluster.open(nodes, () -> classes)
        : ProcessCluster.start(nodes, transport);
  }

  private int run(JdkClasses classes, int rootVertex, Cluster cluster, Progress progress)
      throws InterruptedException, ExecutionException {
    Spread spread = new Spread(classes.count(), nodes);
    long start = System.nanoTime();
    Coordinator coordinator = new Coordinator(cluster, spread, progress);
    CompletableFuture<Void> prepared =
        CompletableFuture.runAsync(() -> coordinator.prepare(classes.fingerprint()));
    Partition whole = load(classes, progress);
    join(prepared);
    progress.done(
        Text.format(
            "Graph: %,d classes of JDK %s, %,d references, on %d nodes over %s in %.3f s",
            classes.count(),
            Runtime.version().feature(),
            whole.edges(),
            nodes,
            transport,
            (System.nanoTime() - start) / 1e9));
    Outcome outcome = coordinator.run(rootVertex, rounds);
    progress.update("Check: the same in a single process");
    SingleProcessRun alone = SingleProcessRun.of(whole, spread, rootVertex, rounds);
    Verification verification = Verification.of(outcome, alone, whole.edges(), rounds);
    progress.clear();
    return print(
        DemoResult.of(classes, nodes, outcome, verification.isGood()), outcome, verification);
  }

  /** The whole graph, for the check. */
  private Partition load(JdkClasses classes, Progress progress)
      throws InterruptedException, ExecutionException {
    AtomicInteger read = new AtomicInteger();
    return new PartitionLoader(classes, SlicedWork.threadsFor(1))
        .loadAll(more ->
            progress.update(
                Text.format("Graph: %,d of %,d classes", read.addAndGet(more), classes.count())));
  }

  private static void join(CompletableFuture<Void> prepared) {
    try {
      prepared.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof CommandException reason ? reason : e;
    }
  }

  private int print(DemoResult result, Outcome outcome, Verification verification) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (json) {
      out.println(JsonLine.of(result));
    } else {
      new TextReport(out).print(result, outcome, root);
    }
    verification.problems().forEach(problem -> err.println("not verified: " + problem));
    if (!json && verification.isGood()) {
      out.println();
      out.print(
          Text.format(
              "Verified against a single process: levels equal, ranks within %.1e,%n"
                  + "one message handled per reference that crosses.%n",
              verification.rankDifference()));
    }
    out.flush();
    err.flush();
    return verification.isGood() ? ExitStatus.GOOD : ExitStatus.NOT_VERIFIED;
  }
}
