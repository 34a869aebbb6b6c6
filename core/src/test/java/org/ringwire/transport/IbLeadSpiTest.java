package org.ringwire.transport;

import org.junit.jupiter.api.Tag;

/** Leading a link over InfiniBand, where there is a device. */
@Tag("rdma")
class IbLeadSpiTest extends LeadSpiTest {

  @Override
  TransportProvider provider() {
    return IbNodes.provider();
  }

  @Override
  String address() {
    return "127.0.0.1:0";
  }

  /** An emulated processor takes a millisecond for a request. */
  @Override
  int requests() {
    return 500;
  }

  /** A soft device takes milliseconds to make and destroy what a link needs. */
  @Override
  int closes() {
    return 12;
  }
}
