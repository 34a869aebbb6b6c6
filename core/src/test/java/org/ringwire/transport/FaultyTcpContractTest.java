package org.ringwire.transport;

class FaultyTcpContractTest extends TcpContractTest {

  @Override
  protected TransportProvider provider() {
    return FaultyTransport.provider(
        super.provider(), Faults.NONE.withMaxRead(1_009).withMaxWrite(4_093));
  }

  @Override
  protected int largestSize() {
    return 1 << 20;
  }

  @Override
  protected int many() {
    return 10_000;
  }
}
