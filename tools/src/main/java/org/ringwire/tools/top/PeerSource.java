package org.ringwire.tools.top;

import java.time.Duration;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeMetrics;
import org.ringwire.RemoteHandlerException;
import org.ringwire.management.Inspect;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.NoAnswer;
import org.ringwire.tools.process.Leftovers;

/** Asks the node itself, as a peer that does not listen. */
final class PeerSource implements MetricsSource {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private static final String CHECK = "that the node runs, and its cluster";

  private final String address;
  private final Node node;
  private final int nodeId;

  private PeerSource(String address, Node node, int nodeId) {
    this.address = address;
    this.node = node;
    this.nodeId = nodeId;
  }

  /**
   * Connects.
   *
   * @throws CommandException if nobody answers there
   */
  static PeerSource connect(NodeConfig config, String address) {
    Node node = Leftovers.open(config);
    try {
      return new PeerSource(address, node, node.connect(address, TIMEOUT));
    } catch (RuntimeException e) {
      node.close();
      throw e instanceof MessagingException silence ? NoAnswer.of(address, silence, CHECK) : e;
    }
  }

  @Override
  public String name() {
    return address;
  }

  @Override
  public NodeMetrics read() {
    try {
      return node.request(nodeId, new Inspect(true), NodeMetrics.class, TIMEOUT);
    } catch (RemoteHandlerException e) {
      throw new CommandException(
          "the node at "
              + address
              + " does not let peers look at it: start it with ./ringwire node, or with"
              + " NodeConfig.inspectable()",
          e);
    } catch (MessagingException e) {
      throw NoAnswer.of(address, e, CHECK);
    }
  }

  @Override
  public void close() {
    node.close();
  }
}
