package org.ringwire.transport;

import org.ringwire.transport.tcp.TcpTransportProvider;

/** Leading a link over TCP. */
class TcpLeadSpiTest extends LeadSpiTest {

  @Override
  TransportProvider provider() {
    return new TcpTransportProvider();
  }

  @Override
  String address() {
    return "127.0.0.1:0";
  }
}
