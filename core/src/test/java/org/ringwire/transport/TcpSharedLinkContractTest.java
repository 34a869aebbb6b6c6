package org.ringwire.transport;

/** Node 1 does not listen: both directions share the link that it opens. */
class TcpSharedLinkContractTest extends TcpContractTest {

  @Override
  protected boolean bothListen() {
    return false;
  }
}
