package org.ringwire.transport;

import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.transport.loopback.LoopbackTransportProvider;

class LoopbackContractTest extends TransportContractTest {

  private static final AtomicInteger NAMES = new AtomicInteger();

  private final int name = NAMES.incrementAndGet();

  @Override
  protected TransportProvider provider() {
    return new LoopbackTransportProvider();
  }

  @Override
  protected String listenAddress(int nodeId) {
    return "contract-" + name + "-" + nodeId;
  }
}
