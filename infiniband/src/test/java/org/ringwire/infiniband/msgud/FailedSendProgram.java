package org.ringwire.infiniband.msgud;

import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.connect.DatagramTerms;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.simulated.OneByte;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.transport.TransportConfig;

/**
 * A stream whose queue pair sends nothing any more, and goes on receiving. Says what the stream
 * finds after two seconds without an acknowledgement, and whether the queue pair serves again.
 */
public final class FailedSendProgram {

  private FailedSendProgram() {}

  public static void main(String... args) throws IOException {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
    try (UdTransport transport = UdProvider.open(config, (inner, _) -> inner)) {
      UdAdapter adapter = transport.adapter();
      int pair = adapter.queuePair().number();
      SimulatedDevice.set("held pair", pair);
      Terms peer = adapter.terms(0, 2, 1);
      UdStream stream = new UdStream(transport, peer, new DatagramTerms(1, 1), _ -> {});
      boolean _ = stream.write(new OneByte());
      SimulatedDevice.set("pair that only receives", pair);
      long posts = transport.verbsCounters().receivePosts();
      long nowNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
      System.out.println("found: " + failure(stream, nowNs));
      stream.abandon();
      stream.close(adapter.receiver());
      transport.thread().thread().wake();
      await("a restart", () -> transport.verbsCounters().receivePosts() > posts);
      System.out.println("serves again");
    }
  }

  private static String failure(UdStream stream, long nowNs) {
    try {
      long _ = stream.settle(8, nowNs, UdStream.NEVER);
      return "nothing";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
