package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.link.CopiedStream;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.Awaiting;
import org.ringwire.transport.TransportConfig;

/**
 * A peer to which much is on the way, which lies in no ring, acknowledges nothing any more; then
 * there is a little for another one.
 */
public final class SilentPeerProgram {

  private static final long MUCH = 16 << 20;
  private static final long SILENCE_NS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int TIMES = 10;

  private SilentPeerProgram() {}

  /** Prints whether the other one has got it while the link to the silent one was still there. */
  public static void main(String... args) throws IOException {
    try (UdTransport from = open(1);
        UdTransport silent = open(2);
        UdTransport other = open(3)) {
      CopiedStream much = new CopiedStream(new AtomicLong());
      CopiedStream there = CopiedStream.connect(from, silent, much);
      much.send(Long.MAX_VALUE);
      Awaiting.await("much is on the way", () -> there.received() > MUCH);
      SimulatedDevice.set("held pair", silent.adapter().queuePair().number());
      Awaiting.await("no more is sent", () -> silenceNs(from) > SILENCE_NS);
      CopiedStream little = new CopiedStream(new AtomicLong());
      CopiedStream received = CopiedStream.connect(from, other, little);
      for (int i = 1; i <= TIMES; i++) {
        int count = i;
        little.send(1);
        Awaiting.await("arrived", () -> received.received() == count);
      }
      System.out.println("while one is silent: " + !much.isClosed());
      System.exit(0); // it stays so
    }
  }

  private static long silenceNs(UdTransport from) {
    UdStream stream = from.register().iterator().next().stream();
    return stream == null ? 0 : stream.silenceNs(System.nanoTime());
  }

  private static UdTransport open(int id) {
    return UdProvider.open(
        new TransportConfig(id, 1, IdleStrategy.parking(), 1 << 22, Duration.ofSeconds(10)),
        (inner, _) -> inner);
  }
}
