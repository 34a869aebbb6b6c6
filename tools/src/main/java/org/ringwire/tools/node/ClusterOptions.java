package org.ringwire.tools.node;

import java.lang.invoke.MethodHandles;
import org.ringwire.NodeConfig;
import org.ringwire.tools.Transports;
import picocli.CommandLine.Option;

/** The options of everything that meets the nodes of a cluster. */
final class ClusterOptions {

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description = "name that all nodes of a cluster share; default: ${DEFAULT-VALUE}",
      defaultValue = "default")
  private String cluster = "default";

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "default: ${DEFAULT-VALUE}",
      defaultValue = "tcp")
  private String transport = "tcp";

  /** Settings of a node of this cluster, for messages of this package. */
  NodeConfig.Builder settings(int id) {
    Transports.check(transport);
    return NodeConfig.builder(id)
        .cluster(cluster)
        .transport(transport)
        .lookup(MethodHandles.lookup());
  }
}
