package org.ringwire.transport;

import org.junit.jupiter.api.Tag;

/** Links over datagrams of InfiniBand, where there is a device. */
@Tag("rdma")
class IbUdSpiTest extends IbSpiTest {

  @Override
  protected TransportProvider provider() {
    return IbNodes.provider("ib-msgud");
  }
}
