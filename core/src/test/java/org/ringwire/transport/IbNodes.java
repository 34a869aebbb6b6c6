package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import org.ringwire.Node;
import org.ringwire.NodeMetrics;

/** What the tests of the transport ib have in common; the module infiniband brings it. */
final class IbNodes {

  private IbNodes() {}

  /** Found by name: the core does not know that module. */
  static TransportProvider provider() {
    return provider("ib");
  }

  /** With an engine, or with faults: also among the tests of that module. */
  static TransportProvider provider(String name) {
    return ServiceLoader.load(TransportProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new AssertionError("no transport " + name + ": the tag rdma runs with a device"));
  }

  /** Each byte that the node has sent or received went in datagrams, which have heads, and more. */
  static void assertOverDatagrams(Node node) {
    NodeMetrics metrics = node.metrics();
    assertThat(metrics.transport())
        .hasEntrySatisfying(
            "sendBytes", sent -> assertThat(sent).isGreaterThanOrEqualTo(metrics.bytesSent()))
        .hasEntrySatisfying(
            "receivedBytes",
            received -> assertThat(received).isGreaterThanOrEqualTo(metrics.bytesReceived()));
  }
}
