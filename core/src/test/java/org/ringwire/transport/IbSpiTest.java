package org.ringwire.transport;

import org.junit.jupiter.api.Tag;

/** Links over InfiniBand, where there is a device. */
@Tag("rdma")
class IbSpiTest extends TransportSpiTest {

  @Override
  protected TransportProvider provider() {
    return IbNodes.provider();
  }

  @Override
  protected String freeAddress() {
    return "127.0.0.1:0";
  }

  /** A soft device takes milliseconds to destroy a queue pair, and a close takes four seconds. */
  @Override
  protected int stormConnects() {
    return 40;
  }

  @Override
  protected String deadAddress() {
    return "127.0.0.1:" + TcpSpiTest.freePort();
  }
}
