package org.ringwire.transport;

import org.ringwire.IdleStrategy;

class TcpSpinningContractTest extends TcpContractTest {

  @Override
  protected IdleStrategy idleStrategy() {
    return new IdleStrategy(50_000);
  }
}
