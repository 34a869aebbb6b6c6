package org.ringwire.transport;

import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** Nodes over InfiniBand, where there is a device. */
@Tag("rdma")
class IbContractTest extends TransportContractTest {

  @Override
  protected TransportProvider provider() {
    return IbNodes.provider();
  }

  @Override
  protected String listenAddress(int nodeId) {
    return "127.0.0.1:0";
  }

  @Override
  protected Duration connectTimeout() {
    return Duration.ofSeconds(60);
  }
}
