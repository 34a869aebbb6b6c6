package org.ringwire.tools.demo;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.tools.console.Progress;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.demo.check.SingleProcessRun;
import org.ringwire.tools.demo.check.Verification;
import org.ringwire.tools.demo.cluster.Cluster;
import org.ringwire.tools.demo.cluster.Coordinator;
import org.ringwire.tools.demo.cluster.Outcome;
import org.ringwire.tools.demo.graph.JdkClasses;
import org.ringwire.tools.demo.graph.Partition;
import org.ringwire.tools.demo.graph.PartitionLoader;
import org.ringwire.tools.demo.graph.SlicedWork;
import org.ringwire.tools.demo.graph.Spread;

/**
 * One run from the graph to the verdict. For one thread.
 *
 * @param outcome what the nodes found
 * @param verification whether that is right
 * @param timings what the parts took
 */
record DemoRun(Outcome outcome, Verification verification, Timings timings) {

  /**
   * Lets a cluster work, and checks it. This process reads the whole graph for that, while the
   * workers read their parts.
   *
   * @param startNanos when the run began, by {@link System#nanoTime()}
   * @param root the vertex where the search starts
   */
  static DemoRun of(
      long startNanos, JdkClasses classes, Cluster cluster, int root, int rounds, Progress progress)
      throws InterruptedException, ExecutionException {
    Spread spread = new Spread(classes.count(), cluster.nodes());
    Coordinator coordinator = new Coordinator(cluster, spread, progress);
    CompletableFuture<Void> prepared =
        CompletableFuture.runAsync(() -> coordinator.prepare(classes.fingerprint()));
    Partition whole = load(classes, progress);
    join(prepared);
    long ready = System.nanoTime();
    progress.done(
        Text.format(
            "Graph: %,d classes with %,d references on %d nodes in %.3f s",
            classes.count(), whole.edges(), cluster.nodes(), (ready - startNanos) / 1e9));
    Outcome outcome = coordinator.run(root, rounds);
    progress.update("Check: the same in a single process");
    long found = System.nanoTime();
    SingleProcessRun alone = SingleProcessRun.of(whole, spread, root, rounds);
    Verification verification = Verification.of(outcome, alone, whole.edges(), rounds);
    long end = System.nanoTime();
    progress.clear();
    Timings timings = new Timings(ready - startNanos, end - found, end - startNanos);
    return new DemoRun(outcome, verification, timings);
  }

  private static Partition load(JdkClasses classes, Progress progress)
      throws InterruptedException, ExecutionException {
    AtomicInteger read = new AtomicInteger();
    return new PartitionLoader(classes, SlicedWork.threadsFor(1))
        .loadAll(more ->
            progress.update(
                Text.format(
                    "Graph: %,d of %,d classes read", read.addAndGet(more), classes.count())));
  }

  private static void join(CompletableFuture<Void> prepared) {
    try {
      prepared.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException reason ? reason : e;
    }
  }
}
