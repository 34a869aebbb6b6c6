package org.ringwire.transport;

import org.junit.jupiter.api.Tag;
import org.ringwire.Node;

/** Node 1 does not listen: both directions share one link over datagrams. */
@Tag("rdma")
class IbUdSharedLinkContractTest extends IbSharedLinkContractTest {

  @Override
  protected TransportProvider provider() {
    return IbNodes.provider("ib-msgud");
  }

  @Override
  protected void closed(Node node) {
    IbNodes.assertOverDatagrams(node);
  }
}
