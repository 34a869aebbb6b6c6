package org.ringwire.infiniband.memory;

import org.ringwire.Authentication;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** Nodes of programs on a simulated device, over TCP: only their memory is used over the device. */
final class MemoryNode {

  private MemoryNode() {}

  /** One that the directory knows. */
  static Node open(NodeDirectory.Mutable directory, int id) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .peers(directory)
                .listen("127.0.0.1:0")
                .authentication(Authentication.none())
                .build());
    directory.put(id, String.valueOf(node.address()));
    return node;
  }
}
