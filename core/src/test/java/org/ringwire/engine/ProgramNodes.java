package org.ringwire.engine;

import java.util.function.UnaryOperator;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** Nodes of programs that tests run over {@code -Dtransport}. */
final class ProgramNodes {

  static final String TRANSPORT = System.getProperty("transport", "tcp");

  private ProgramNodes() {}

  /** One that listens where its transport can. */
  static Node open(int id, NodeDirectory directory, UnaryOperator<NodeConfig.Builder> settings) {
    String listen =
        switch (TRANSPORT) {
          case "tcp" -> "127.0.0.1:0";
          case "shm" -> "*";
          default -> "node " + id;
        };
    return Node.open(
        settings
            .apply(NodeConfig.builder(id).transport(TRANSPORT).listen(listen).peers(directory))
            .build());
  }

  /** The same, which the directory knows from then on. */
  static Node openKnown(
      int id, NodeDirectory.Mutable directory, UnaryOperator<NodeConfig.Builder> settings) {
    Node node = open(id, directory, settings);
    directory.put(id, String.valueOf(node.address()));
    return node;
  }
}
