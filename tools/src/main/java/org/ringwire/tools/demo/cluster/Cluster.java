package org.ringwire.tools.demo.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.ringwire.Node;
import org.ringwire.NodeConfig;

/** The nodes of one run: a coordinator, which is in this process, and the workers. */
public sealed interface Cluster extends AutoCloseable permits LoopbackCluster, ProcessCluster {

  /** Node id of the coordinator. */
  int COORDINATOR = 0;

  /** Longest time to connect or to send. */
  Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Settings of a node. Waits are long: while all nodes read class files the machine is busy, and
   * nothing is gained by giving up.
   */
  static NodeConfig.Builder config(int nodeId, String transport, String address, String cluster) {
    return NodeConfig.builder(nodeId)
        .transport(transport)
        .listen(address)
        .cluster(cluster)
        .connectTimeout(PATIENCE)
        .sendTimeout(PATIENCE);
  }

  /** The coordinator's node. */
  Node coordinator();

  /** Number of workers. */
  int nodes();

  /** Where every node is, by node id. */
  Map<Integer, String> addresses();

  /** Fails when a worker ends before {@link #close()}, with one line that says how. */
  CompletableFuture<Void> failure();

  /** Ends all workers and the coordinator's node. */
  @Override
  void close();
}
