package org.ringwire.transport;

import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.transport.loopback.LoopbackTransportProvider;

class LoopbackSpiTest extends TransportSpiTest {

  private static final AtomicInteger NAMES = new AtomicInteger();

  @Override
  protected TransportProvider provider() {
    return new LoopbackTransportProvider();
  }

  @Override
  protected String freeAddress() {
    return "loopback:" + NAMES.incrementAndGet();
  }

  @Override
  protected String deadAddress() {
    return "nobody";
  }
}
