package org.ringwire.tools.demo;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.Progress;
import org.ringwire.tools.console.Version;
import org.ringwire.tools.demo.check.Verification;
import org.ringwire.tools.demo.cluster.Cluster;
import org.ringwire.tools.demo.cluster.LoopbackCluster;
import org.ringwire.tools.demo.cluster.ProcessCluster;
import org.ringwire.tools.demo.graph.JdkClasses;
import org.ringwire.tools.demo.graph.RootClass;
import org.ringwire.tools.options.Range;
import org.ringwire.tools.options.TransportOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
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
    versionProvider = Version.class,
    sortOptions = false,
    showDefaultValues = true)
public final class DemoCommand implements Callable<Integer> {

  private static final int MAX_NODES = 64;
  private static final int MAX_ROUNDS = 10_000;

  @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes, 1 to " + MAX_NODES)
  private int nodes = 3;

  @Mixin private TransportOption transport = new TransportOption();

  @Option(
      names = "--tls",
      description = "TLS between the processes, with certificates made for this run")
  private boolean tls;

  @Option(names = "--root", paramLabel = "CLASS", description = "Where the search starts")
  private String root = "java.lang.Object";

  @Option(
      names = "--modules",
      paramLabel = "NAME",
      split = ",",
      showDefaultValue = Visibility.NEVER,
      description = "Classes of these modules only; the default is all of them")
  private List<String> modules = List.of();

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
    long start = System.nanoTime();
    JdkClasses classes = JdkClasses.ofModules(modules);
    int rootVertex = RootClass.find(classes, root, modules);
    try (Cluster cluster = open(classes)) {
      DemoRun run = DemoRun.of(start, classes, cluster, rootVertex, rounds, progress);
      return report(DemoResult.of(classes, nodes, run), run);
    } finally {
      progress.clear();
    }
  }

  private void checkOptions() {
    Range.check("--nodes", nodes, 1, MAX_NODES);
    Range.check("--rounds", rounds, 1, MAX_ROUNDS);
    String name = transport.name();
    transport.checked();
    if (modules.stream().distinct().count() < modules.size()) {
      throw new CommandException("--modules takes each module once, not " + modules);
    }
    if (tls && !name.equals("tcp")) {
      throw new CommandException("--tls needs --transport tcp");
    }
  }

  private Cluster open(JdkClasses classes) {
    return transport.name().equals("loopback")
        ? LoopbackCluster.open(nodes, () -> classes)
        : ProcessCluster.start(nodes, transport.name(), tls, modules);
  }

  /** Prints a run; returns the exit status. */
  int report(DemoResult result, DemoRun run) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Verification verification = run.verification();
    if (json) {
      out.println(JsonLine.of(result));
    } else {
      new TextReport(out).print(result, run, root);
    }
    verification.problems().forEach(problem -> err.println("not verified: " + problem));
    out.flush();
    err.flush();
    return verification.isGood() ? ExitStatus.GOOD : ExitStatus.NOT_VERIFIED;
  }
}
