package org.ringwire.tools.demo.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.tools.demo.graph.JdkClasses;
import org.ringwire.tools.demo.worker.Worker;

/** Every worker is a node of this process. Opened and closed by one thread. */
public final class LoopbackCluster implements Cluster {

  private static final String TRANSPORT = "loopback";
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final Node coordinator;
  private final List<Worker> workers = new ArrayList<>();
  private final Map<Integer, String> addresses = new HashMap<>();
  private final CompletableFuture<Void> failure = new CompletableFuture<>();

  private LoopbackCluster(Node coordinator) {
    this.coordinator = coordinator;
  }

  /** Opens all nodes. */
  public static LoopbackCluster open(int nodes, Supplier<JdkClasses> classes) {
    String name = "demo-" + UUID.randomUUID();
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    LoopbackCluster cluster =
        new LoopbackCluster(Node.open(config(COORDINATOR, name).peers(directory).build()));
    for (int worker = 0; worker < nodes; worker++) {
      cluster.workers.add(Worker.open(worker, nodes, classes, config(Worker.nodeId(worker), name)));
    }
    cluster.addresses.put(COORDINATOR, String.valueOf(cluster.coordinator.address()));
    for (Worker worker : cluster.workers) {
      cluster.addresses.put(worker.node().id(), String.valueOf(worker.node().address()));
    }
    cluster.addresses.forEach(directory::put);
    return cluster;
  }

  private static NodeConfig.Builder config(int nodeId, String cluster) {
    return Cluster.config(nodeId, TRANSPORT, cluster + "-" + nodeId, cluster);
  }

  @Override
  public Node coordinator() {
    return coordinator;
  }

  @Override
  public int nodes() {
    return workers.size();
  }

  @Override
  public Map<Integer, String> addresses() {
    return Map.copyOf(addresses);
  }

  /** Never completes: these workers live and die with this process. */
  @Override
  public CompletableFuture<Void> failure() {
    return failure;
  }

  @Override
  public void close() {
    workers.forEach(Worker::close);
    coordinator.close(CLOSE_TIMEOUT);
  }
}
