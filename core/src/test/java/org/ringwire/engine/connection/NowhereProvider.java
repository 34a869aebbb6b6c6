package org.ringwire.engine.connection;

import java.time.Duration;
import java.util.Objects;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/** Of a transport whose links are never there; the test says when they end. */
final class NowhereProvider implements TransportProvider {

  private static final class Nowhere implements Transport {

    @Override
    public String listen(String address, LinkAcceptor acceptor) {
      return address;
    }

    @Override
    public void connect(String address, LinkHandler handler) {}

    @Override
    public void stopListening() {}

    @Override
    public void close() {}
  }

  /** Node 1, to which node 2 is somewhere, and nothing happens by itself. */
  static MessagingNode openNode() {
    return openNode(TestNodes.PATIENCE);
  }

  static MessagingNode openNode(Duration connectTimeout) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    directory.put(2, "somewhere");
    NodeConfig config =
        NodeConfig.builder(1)
            .transport("nowhere")
            .peers(directory)
            .connectTimeout(connectTimeout)
            .keepAlive(Duration.ofHours(1))
            .build();
    return (MessagingNode) MessagingNode.open(config, 1, new NowhereProvider());
  }

  /** A link of node 2. */
  static PeerSession accepted(Connections connections) {
    return (PeerSession) Objects.requireNonNull(connections.accept("peer-2:1"));
  }

  @Override
  public String name() {
    return "nowhere";
  }

  @Override
  public Transport open(TransportConfig config) {
    return new Nowhere();
  }
}
