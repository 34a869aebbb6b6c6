package org.ringwire.transport;

import org.ringwire.transport.shm.ShmTransportProvider;

class ShmContractTest extends TransportContractTest {

  @Override
  protected TransportProvider provider() {
    return new ShmTransportProvider();
  }

  @Override
  protected String listenAddress(int nodeId) {
    return "*";
  }
}
