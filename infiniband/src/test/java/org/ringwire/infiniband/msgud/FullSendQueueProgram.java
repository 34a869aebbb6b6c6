package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.time.Duration;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.connect.DatagramTerms;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.simulated.OneByte;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.TransportConfig;

/** A link that is made ready while others have filled the send queue of all. */
public final class FullSendQueueProgram {

  private FullSendQueueProgram() {}

  /** Prints whether the link could say that it is ready. */
  public static void main(String... args) throws IOException {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
    try (UdTransport transport =
        UdProvider.open(config, (inner, _) -> inner, "sendCompletions", "16")) {
      UdAdapter adapter = transport.adapter();
      SimulatedDevice.set("held pair", adapter.queuePair().number());
      Terms peer = adapter.terms(0, 2, 1);
      System.out.println("with room: " + isReadySaid(transport, peer));
      while (adapter.sender().free() > 0) {
        UdStream stream = new UdStream(transport, peer, new DatagramTerms(1, 1), _ -> {});
        boolean _ = stream.write(new OneByte());
      }
      System.out.println("without room: " + isReadySaid(transport, peer));
    }
    System.exit(0); // threads of what has not ended
  }

  private static boolean isReadySaid(UdTransport transport, Terms peer) throws IOException {
    UdLink link = new UdLink(transport, new Ignoring(), "there:1", "there:1");
    link.connect(peer);
    return link.sayReady();
  }
}
