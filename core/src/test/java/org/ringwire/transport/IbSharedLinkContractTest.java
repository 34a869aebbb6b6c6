package org.ringwire.transport;

import org.junit.jupiter.api.Tag;

/** Node 1 does not listen: both directions share the queue pair that it opens. */
@Tag("rdma")
class IbSharedLinkContractTest extends IbContractTest {

  @Override
  protected boolean bothListen() {
    return false;
  }
}
