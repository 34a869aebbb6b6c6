package org.ringwire.transport;

import java.util.ServiceLoader;

/** What the tests of the transport ib have in common; the module infiniband brings it. */
final class IbNodes {

  private IbNodes() {}

  /** Found by name: the core does not know that module. */
  static TransportProvider provider() {
    return ServiceLoader.load(TransportProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals("ib"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no transport ib: the tag rdma runs with a device"));
  }
}
