package org.ringwire.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.ringwire.transport.tcp.TcpTransportProvider;

class TcpSpiTest extends TransportSpiTest {

  @Override
  protected TransportProvider provider() {
    return new TcpTransportProvider();
  }

  @Override
  protected String freeAddress() {
    return "127.0.0.1:0";
  }

  @Override
  protected String deadAddress() {
    return "127.0.0.1:" + freePort();
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
