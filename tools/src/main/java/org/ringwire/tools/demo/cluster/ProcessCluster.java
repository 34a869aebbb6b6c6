package org.ringwire.tools.demo.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.demo.worker.Worker;
import org.ringwire.tools.options.ThrowAwayTls;
import org.ringwire.tools.options.Transports;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildFailedException;
import org.ringwire.tools.process.ChildProcess;
import org.ringwire.tools.process.Leftovers;

/**
 * Every worker is a process of its own, on free addresses of this machine. Opened and closed by one
 * thread.
 */
public final class ProcessCluster implements Cluster {

  /** Half of the time of a run is reading class files once: full optimisation costs more. */
  private static final List<String> VM_OPTIONS =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private static final Duration START_TIMEOUT = Duration.ofMinutes(4);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  private final Node coordinator;
  private final Map<Integer, String> addresses = new HashMap<>();
  private final List<ChildProcess> children = new ArrayList<>();
  private final CompletableFuture<Void> failure = new CompletableFuture<>();
  private volatile boolean closing;

  private final @Nullable ThrowAwayTls tls;

  private ProcessCluster(Node coordinator, @Nullable ThrowAwayTls tls) {
    this.coordinator = coordinator;
    this.tls = tls;
  }

  /**
   * Starts the workers and waits until all listen.
   *
   * @param secured whether they use TLS
   * @param modules whose classes are the graph; empty for all
   * @throws ChildFailedException if one of them does not start
   */
  public static ProcessCluster start(
      int nodes, String transport, boolean secured, List<String> modules) {
    String name = "demo-" + UUID.randomUUID();
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    ThrowAwayTls tls = secured ? ThrowAwayTls.create(name, nodes) : null;
    NodeConfig.Builder config =
        Cluster.config(COORDINATOR, transport, Transports.localAddress(transport, name), name);
    if (tls != null) {
      config.tls(ThrowAwayTls.load(tls.folder()));
    }
    Node coordinator = Leftovers.open(config.peers(directory).build());
    ProcessCluster cluster = new ProcessCluster(coordinator, tls);
    try {
      cluster.startChildren(nodes, transport, name, String.join(",", modules));
      cluster.addresses.forEach(directory::put);
      return cluster;
    } catch (ChildFailedException e) {
      cluster.close();
      throw e;
    }
  }

  private void startChildren(int nodes, String transport, String name, String modules) {
    for (int worker = 0; worker < nodes; worker++) {
      ChildCommand command =
          new ChildCommand(
              "node " + Worker.nodeId(worker),
              WorkerMain.class,
              VM_OPTIONS,
              List.of(
                  String.valueOf(worker),
                  String.valueOf(nodes),
                  transport,
                  Transports.localAddress(transport, name),
                  name,
                  tls == null ? WorkerMain.NO_TLS : tls.folder(),
                  modules));
      children.add(ChildProcess.start(command));
    }
    addresses.put(COORDINATOR, String.valueOf(coordinator.address()));
    for (int worker = 0; worker < nodes; worker++) {
      ChildProcess child = children.get(worker);
      addresses.put(Worker.nodeId(worker), child.awaitReady(START_TIMEOUT));
      var _ = child.onExit().thenRun(() -> workerEnded(child));
    }
  }

  private void workerEnded(ChildProcess child) {
    if (!closing) {
      failure.completeExceptionally(new CommandException(child.describeEnd()));
    }
  }

  @Override
  public Node coordinator() {
    return coordinator;
  }

  @Override
  public int nodes() {
    return children.size();
  }

  @Override
  public Map<Integer, String> addresses() {
    return Map.copyOf(addresses);
  }

  @Override
  public CompletableFuture<Void> failure() {
    return failure;
  }

  /** The processes, for tests. */
  List<ChildProcess> children() {
    return List.copyOf(children);
  }

  @Override
  public void close() {
    closing = true;
    try {
      children.forEach(child -> child.send("stop"));
      children.forEach(child -> child.awaitExit(STOP_TIMEOUT));
    } catch (ChildFailedException e) {
      // One that is gone or does not stop in order is ended below, like all others.
    } finally {
      children.forEach(ChildProcess::close);
      coordinator.close(STOP_TIMEOUT);
      if (tls != null) {
        tls.close();
      }
    }
  }
}
