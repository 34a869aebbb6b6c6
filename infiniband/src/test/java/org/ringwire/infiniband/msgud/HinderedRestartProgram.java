package org.ringwire.infiniband.msgud;

import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.transport.TransportConfig;

/** The queue pair of all links has failed, and the device hinders once that it is ready again. */
public final class HinderedRestartProgram {

  private HinderedRestartProgram() {}

  /**
   * Says when it serves again.
   *
   * @param args what the device is told for that, and the value
   */
  public static void main(String... args) {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
    try (UdTransport transport = UdProvider.open(config, (inner, _) -> inner)) {
      UdAdapter adapter = transport.adapter();
      SimulatedDevice.set(args[0], Integer.parseInt(args[1]));
      adapter.queuePair().toError();
      adapter.sender().fail("as this test wants it");
      transport.thread().thread().wake();
      await("a restart", () -> adapter.sender().failure() == null);
      System.out.println("serves again");
    }
  }
}
