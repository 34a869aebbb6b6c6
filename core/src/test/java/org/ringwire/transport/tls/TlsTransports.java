package org.ringwire.transport.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ringwire.IdleStrategy;
import org.ringwire.Tls;
import org.ringwire.TlsNames;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.TestCertificates;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;
import org.ringwire.transport.tcp.TcpTransportProvider;

/** Transports with TLS that trust each other; closes them. */
final class TlsTransports implements AutoCloseable {

  static final TransportProvider TCP = new TcpTransportProvider();

  private final TestCertificates authority = new TestCertificates("links");
  private final Path folder;
  private final List<Transport> transports = new ArrayList<>();

  TlsTransports(Path folder) {
    this.folder = folder;
  }

  TestCertificates authority() {
    return authority;
  }

  /** The transport of a node. */
  TlsTransport open(int nodeId) {
    return open(nodeId, TCP);
  }

  /** The transport of a node, over another one. */
  TlsTransport open(int nodeId, TransportProvider medium) {
    return open(nodeId, medium, authority.tls(folder, "default", nodeId));
  }

  /** The same with certain credentials. */
  TlsTransport open(int nodeId, TransportProvider medium, Tls tls) {
    return open(nodeId, medium, tls, TestNodes.PATIENCE);
  }

  /** The same, whose handshakes have so much time. */
  TlsTransport open(int nodeId, Duration connectTimeout) {
    return open(nodeId, TCP, authority.tls(folder, "default", nodeId), connectTimeout);
  }

  private TlsTransport open(
      int nodeId, TransportProvider medium, Tls tls, Duration connectTimeout) {
    TransportConfig config =
        new TransportConfig(
            nodeId, 1, IdleStrategy.parking(), 1 << 20, connectTimeout, "default", tls);
    TransportConfig plain =
        new TransportConfig(nodeId, 1, IdleStrategy.parking(), 1 << 20, connectTimeout);
    TlsTransport transport = (TlsTransport) TlsTransport.over(medium.open(plain), config);
    transport.waitForTickets(TestNodes.PATIENCE);
    transports.add(transport);
    return transport;
  }

  /** Listens; the handlers are those of the links that come, in this order. */
  static String listen(Transport transport, LinkHandler... handlers) throws IOException {
    Queue<LinkHandler> queue = new ConcurrentLinkedQueue<>(List.of(handlers));
    return transport.listen("127.0.0.1:0", remote -> queue.poll());
  }

  /** A certificate of this authority for a node. */
  TestCertificates.Identity identity(int nodeId) {
    return authority.issue("node " + nodeId, TlsNames.of("default", nodeId));
  }

  /** A connection without TLS. */
  static Socket socket(String address) throws IOException {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) TestNodes.PATIENCE.toMillis());
    return socket;
  }

  @Override
  public void close() {
    transports.forEach(Transport::close);
  }
}
