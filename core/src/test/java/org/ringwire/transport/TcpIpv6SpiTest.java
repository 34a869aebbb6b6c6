package org.ringwire.transport;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.BeforeAll;

class TcpIpv6SpiTest extends TcpSpiTest {

  @BeforeAll
  static void needIpv6() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("::1"))) {
      assumeTrue(socket.isBound());
    } catch (IOException e) {
      assumeTrue(false, "this machine has no IPv6: " + e.getMessage());
    }
  }

  @Override
  protected String freeAddress() {
    return "[::1]:0";
  }

  @Override
  protected String deadAddress() {
    return "[::1]:1";
  }
}
