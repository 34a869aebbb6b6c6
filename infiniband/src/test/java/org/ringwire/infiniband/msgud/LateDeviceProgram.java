package org.ringwire.infiniband.msgud;

import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.connect.DatagramTerms;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.simulated.OneByte;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.transport.TransportConfig;

/** Streams that end, one after the other, before the device has sent what they have copied. */
public final class LateDeviceProgram {

  private static final int STREAMS = 300; // more than there are chunks

  private LateDeviceProgram() {}

  /** Prints of how many streams the device has got what they have written, and what is left. */
  public static void main(String... args) throws IOException {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
    try (UdTransport transport = UdProvider.open(config, (inner, _) -> inner)) {
      UdAdapter adapter = transport.adapter();
      SimulatedDevice.set("held pair", adapter.queuePair().number());
      DatagramTerms datagrams = new DatagramTerms(1, 1);
      Terms peer = adapter.terms(0, 2, 1);
      int written = 0;
      for (int i = 0; i < STREAMS; i++) {
        UdStream stream = new UdStream(transport, peer, datagrams, _ -> {});
        OneByte source = new OneByte();
        boolean _ = stream.write(source);
        written += (int) source.sent();
        stream.abandon();
        stream.close(adapter.receiver());
        restart(transport);
      }
      System.out.println("written: " + written);
      System.out.println("exhausted: " + adapter.chunks().isExhausted());
    }
  }

  /** As the end of a link does it that has waited in vain. */
  private static void restart(UdTransport transport) {
    long posts = transport.verbsCounters().receivePosts();
    transport.failDevice(new IOException("the device is late"));
    await(
        "a restart",
        () ->
            transport.verbsCounters().receivePosts() > posts
                && transport.adapter().sender().failure() == null);
  }
}
