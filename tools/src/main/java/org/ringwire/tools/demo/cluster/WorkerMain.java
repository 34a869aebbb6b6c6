package org.ringwire.tools.demo.cluster;

import java.util.List;
import org.ringwire.MessagingException;
import org.ringwire.NodeConfig;
import org.ringwire.tools.demo.graph.JdkClasses;
import org.ringwire.tools.demo.worker.Worker;
import org.ringwire.tools.options.ThrowAwayTls;
import org.ringwire.tools.process.ParentLink;

/** A worker in a process of its own; started by {@link ProcessCluster}. */
final class WorkerMain {

  /**
   * A log entry is one line, without trace: when a worker dies, the demo says which, and that is
   * enough.
   */
  private static final String LOG_FORMAT = "%5$s%n";

  /** In place of a folder of certificates. */
  static final String NO_TLS = "-";

  private WorkerMain() {}

  /**
   * Runs a worker until the parent says so or is gone.
   *
   * @param args number of the worker, number of workers, transport, address, cluster, folder of
   *     certificates or {@link #NO_TLS}, modules whose classes are the graph: empty for all
   */
  public static void main(String... args) throws InterruptedException {
    System.setProperty("java.util.logging.SimpleFormatter.format", LOG_FORMAT);
    ParentLink parent = ParentLink.open();
    int index = Integer.parseInt(args[0]);
    int nodes = Integer.parseInt(args[1]);
    NodeConfig.Builder config = Cluster.config(Worker.nodeId(index), args[2], args[3], args[4]);
    if (!args[5].equals(NO_TLS)) {
      config.tls(ThrowAwayTls.load(args[5]));
    }
    List<String> modules = args[6].isEmpty() ? List.of() : List.of(args[6].split(",", -1));
    try (Worker worker = Worker.open(index, nodes, () -> JdkClasses.ofModules(modules), config)) {
      parent.ready(String.valueOf(worker.node().address()));
      parent.awaitLine();
    } catch (MessagingException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
    System.exit(0);
  }
}
