package org.ringwire.transport;

import org.ringwire.IdleStrategy;

class TcpSpinningSpiTest extends TcpSpiTest {

  @Override
  protected IdleStrategy idleStrategy() {
    return new IdleStrategy(200_000);
  }
}
