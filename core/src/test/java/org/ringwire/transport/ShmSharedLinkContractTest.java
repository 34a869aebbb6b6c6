package org.ringwire.transport;

/** Node 1 does not listen: both directions share the link that it opens. */
class ShmSharedLinkContractTest extends ShmContractTest {

  @Override
  protected boolean bothListen() {
    return false;
  }
}
