package org.ringwire.transport;

import org.ringwire.transport.shm.ShmTransportProvider;

/** Leading a link over shared memory. */
class ShmLeadSpiTest extends LeadSpiTest {

  @Override
  TransportProvider provider() {
    return new ShmTransportProvider();
  }

  @Override
  String address() {
    return "*";
  }
}
