package org.ringwire.transport;

import org.ringwire.IdleStrategy;

class ShmSpinningContractTest extends ShmContractTest {

  @Override
  protected IdleStrategy idleStrategy() {
    return new IdleStrategy(50_000);
  }
}
