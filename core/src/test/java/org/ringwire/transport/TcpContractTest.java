package org.ringwire.transport;

import org.ringwire.transport.tcp.TcpTransportProvider;

class TcpContractTest extends TransportContractTest {

  @Override
  protected TransportProvider provider() {
    return new TcpTransportProvider();
  }

  @Override
  protected String listenAddress(int nodeId) {
    return "127.0.0.1:0";
  }
}
