package org.ringwire.transport;

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
    return "127.0.0.1:1"; // a port of the system, which nobody is given
  }
}
