package org.ringwire.transport;

import org.junit.jupiter.api.Tag;
import org.ringwire.Node;

/** Nodes over datagrams of InfiniBand, where there is a device. */
@Tag("rdma")
class IbUdContractTest extends IbContractTest {

  @Override
  protected TransportProvider provider() {
    return IbNodes.provider("ib-msgud");
  }

  @Override
  protected void closed(Node node) {
    IbNodes.assertOverDatagrams(node);
  }
}
