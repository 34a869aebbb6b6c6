package org.ringwire.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.transport.TransportProvider;

/** Nodes of one cluster in this process, which know each other; closes those that are open. */
public final class TestNodes implements AutoCloseable {

  /** How long a test waits for what must happen. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final AtomicLong CLUSTERS = new AtomicLong();

  private final String transport;
  private final long cluster = CLUSTERS.incrementAndGet();
  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final List<Node> nodes = new ArrayList<>();

  /** No nodes yet. */
  public TestNodes(String transport) {
    this.transport = transport;
  }

  /** A node with default settings. */
  public Node open(int id) {
    return open(id, settings -> settings);
  }

  /** A node. */
  public Node open(int id, UnaryOperator<NodeConfig.Builder> settings) {
    return added(Node.open(settings.apply(builder(id).listen(address(id))).build()));
  }

  private String address(int id) {
    return transport.equals("tcp") ? "127.0.0.1:0" : "cluster-" + cluster + "-" + id;
  }

  /** A node over a transport of the test's own. */
  public MessagingNode open(
      int id, UnaryOperator<NodeConfig.Builder> settings, TransportProvider transports) {
    NodeConfig config = settings.apply(builder(id).listen(address(id))).build();
    return (MessagingNode) added(MessagingNode.open(config, 1, transports));
  }

  /** A node that nobody can connect to. */
  public Node openWithoutListener(int id) {
    return added(Node.open(builder(id).build()));
  }

  /** Settings without an address. */
  public NodeConfig.Builder builder(int id) {
    return NodeConfig.builder(id)
        .transport(transport)
        .peers(directory)
        .connectTimeout(PATIENCE)
        .sendTimeout(PATIENCE)
        .requestTimeout(PATIENCE);
  }

  /** Lets the others know of a node, and closes it at the end. */
  public Node added(Node node) {
    nodes.add(node);
    String address = node.address();
    if (address != null) {
      directory.put(node.id(), address);
    }
    return node;
  }

  /** Where the nodes are. */
  public NodeDirectory.Mutable directory() {
    return directory;
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
  }
}
