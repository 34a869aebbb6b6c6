package org.ringwire.infiniband.msgud;

import static org.ringwire.testing.Awaiting.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.TransportConfig;

/**
 * Closes a transport while somebody is inside of a link. Says what is open of the device then, and
 * ends when that has changed, as it does when that one has left.
 */
final class LateLeaveProgram {

  private LateLeaveProgram() {}

  public static void main(String... args) throws Exception {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
    UdTransport transport = UdProvider.open(config, (inner, _) -> inner);
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      transport.connect("127.0.0.1:" + silent.getLocalPort(), new Ignoring());
      UdLink link = transport.register().iterator().next();
      System.out.println("inside: " + link.life().enter());
      transport.close();
      System.out.println("told: " + link.life().isOver());
      System.out.println("open: " + SimulatedDevice.get("open devices"));
      link.life().leave();
      await("end of the device", () -> SimulatedDevice.get("open devices") == 0);
    }
  }
}
