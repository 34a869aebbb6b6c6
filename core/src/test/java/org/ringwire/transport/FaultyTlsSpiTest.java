package org.ringwire.transport;

/** The medium under TLS takes and brings little at a time, and keys change all the time. */
class FaultyTlsSpiTest extends TlsSpiTest {

  @Override
  protected TransportProvider medium() {
    return FaultyTransport.provider(
        super.medium(), Faults.NONE.withMaxRead(7_001).withMaxWrite(9_973));
  }

  @Override
  protected long keyUpdateBytes() {
    return 50_000;
  }
}
