package org.ringwire.transport;

import org.junit.jupiter.api.Tag;

/** Links over datagrams, some of which are lost, doubled and reordered. */
@Tag("rdma")
class IbLossySpiTest extends IbSpiTest {

  @Override
  protected TransportProvider provider() {
    return IbNodes.provider("ib-msgud-lossy");
  }
}
