package org.ringwire.transport;

import org.junit.jupiter.api.Tag;
import org.ringwire.Node;

/** Nodes over datagrams, some of which are lost, doubled and reordered. */
@Tag("rdma")
class IbLossyContractTest extends IbContractTest {

  @Override
  protected TransportProvider provider() {
    return IbNodes.provider("ib-msgud-lossy");
  }

  @Override
  protected int largestSize() {
    return 4 << 20;
  }

  @Override
  protected int many() {
    return 20_000;
  }

  @Override
  protected void closed(Node node) {
    IbNodes.assertOverDatagrams(node);
  }
}
