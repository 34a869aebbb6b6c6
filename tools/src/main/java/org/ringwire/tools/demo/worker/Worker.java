package org.ringwire.tools.demo.worker;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.Dispatch;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.tools.demo.graph.JdkClasses;
import org.ringwire.tools.demo.graph.Partition;
import org.ringwire.tools.demo.graph.PartitionLoader;
import org.ringwire.tools.demo.graph.SlicedWork;
import org.ringwire.tools.demo.graph.Spread;
import org.ringwire.tools.process.Leftovers;

/**
 * One node of the demo: owns a part of the graph, which it starts to read at once, and waits for
 * the coordinator. Opened and closed by one thread.
 */
public final class Worker implements AutoCloseable {

  private static final Duration LOAD_TIMEOUT = Duration.ofMinutes(4);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final Node node;
  private final NodeDirectory.Mutable directory;
  private final CompletableFuture<Loaded> loading;
  private final int threads;
  private volatile @Nullable WorkerJob job;

  private record Loaded(JdkClasses classes, Partition partition) {}

  private Worker(
      Node node, NodeDirectory.Mutable directory, CompletableFuture<Loaded> loading, int threads) {
    this.node = node;
    this.directory = directory;
    this.loading = loading;
    this.threads = threads;
  }

  /**
   * Opens the node of a worker.
   *
   * @param index number of the worker, from 0
   * @param nodes number of workers
   * @param classes lists the classes; called on another thread
   * @param config its transport, address and cluster
   */
  public static Worker open(
      int index, int nodes, Supplier<JdkClasses> classes, NodeConfig.Builder config) {
    int threads = SlicedWork.threadsFor(nodes);
    CompletableFuture<Loaded> loading =
        CompletableFuture.supplyAsync(
            () -> load(index, nodes, threads, classes.get()),
            task -> Thread.ofPlatform().daemon().name("load").start(task));
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    Node node = Leftovers.open(config.peers(directory).build());
    Worker worker = new Worker(node, directory, loading, threads);
    node.handle(Messages.Prepare.class, Dispatch.BLOCKING, worker::prepare);
    return worker;
  }

  /** Node id of a worker; workers are numbered from 0, and 0 is the coordinator. */
  public static int nodeId(int worker) {
    return worker + 1;
  }

  public Node node() {
    return node;
  }

  private static Loaded load(int index, int nodes, int threads, JdkClasses classes) {
    try {
      Spread spread = new Spread(classes.count(), nodes);
      Partition partition = new PartitionLoader(classes, threads).load(spread, index, _ -> {});
      return new Loaded(classes, partition);
    } catch (InterruptedException | ExecutionException e) {
      throw new CompletionException(e);
    }
  }

  private void prepare(Messages.Prepare prepare, Exchange exchange)
      throws InterruptedException, ExecutionException, TimeoutException {
    prepare.addresses().forEach(directory::put);
    Loaded loaded = loading.get(LOAD_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    Partition partition = loaded.partition();
    WorkerJob prepared = new WorkerJob(node, partition, threads);
    prepared.register();
    job = prepared;
    exchange.reply(
        new Messages.Prepared(
            partition.count(), partition.edges(), loaded.classes().fingerprint()));
  }

  @Override
  public void close() {
    WorkerJob prepared = job;
    if (prepared != null) {
      prepared.close();
    }
    node.close(CLOSE_TIMEOUT);
  }
}
