package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.ringwire.Node;
import org.ringwire.NodeMetrics;

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

  /** Each byte that the node has sent or received went over a queue pair. */
  @Override
  protected void closed(Node node) {
    NodeMetrics metrics = node.metrics();
    assertThat(metrics.transport())
        .containsEntry("sendBytes", metrics.bytesSent())
        .hasEntrySatisfying(
            "receivedBytes",
            received -> assertThat(received).isGreaterThanOrEqualTo(metrics.bytesReceived()));
  }

  @Override
  protected Duration connectTimeout() {
    return Duration.ofSeconds(60);
  }
}
