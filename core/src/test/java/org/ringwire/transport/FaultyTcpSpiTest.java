package org.ringwire.transport;

class FaultyTcpSpiTest extends TcpSpiTest {

  @Override
  protected TransportProvider provider() {
    return FaultyTransport.provider(
        super.provider(), Faults.NONE.withMaxRead(7_001).withMaxWrite(9_973));
  }
}
