package org.ringwire.transport;

/** One link for both directions, which change their keys again and again. */
class TlsSharedLinkContractTest extends TlsContractTest {

  @Override
  protected boolean bothListen() {
    return false;
  }

  @Override
  protected long keyUpdateBytes() {
    return 100_000;
  }
}
