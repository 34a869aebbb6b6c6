package org.ringwire.transport;

import org.junit.jupiter.api.BeforeAll;

class TcpIpv6ContractTest extends TcpContractTest {

  @BeforeAll
  static void needIpv6() {
    TcpIpv6SpiTest.needIpv6();
  }

  @Override
  protected String listenAddress(int nodeId) {
    return "[::1]:0";
  }
}
