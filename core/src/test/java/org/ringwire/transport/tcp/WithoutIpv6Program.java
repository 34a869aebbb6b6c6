package org.ringwire.transport.tcp;

import java.io.IOException;
import java.time.Duration;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** What users see of an address of IPv6 where the virtual machine has none. */
final class WithoutIpv6Program {

  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));

  private WithoutIpv6Program() {}

  public static void main(String[] args) {
    try (Transport transport = new TcpTransportProvider().open(CONFIG)) {
      ProbeHandler handler = new ProbeHandler();
      transport.connect("[::1]:7400", handler);
      System.out.println(handler.cause().getMessage());
      transport.listen("[::1]:7400", remote -> null);
    } catch (IOException e) {
      System.out.println(e.getMessage());
    }
  }
}
