package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.link.CopiedStream;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.Awaiting;
import org.ringwire.transport.TransportConfig;

/**
 * A peer takes nothing of what is for it, as one that has no receive request left; then there is
 * something for another one. All of it lies in no ring.
 */
public final class StuckPeerProgram {

  private static final long LENGTH = 10_000; // too long for a small chunk
  private static final int TIMES = 10;

  private StuckPeerProgram() {}

  /**
   * Prints whether the other one has got it.
   *
   * @param args entries of a completion queue of the device, at most; bytes of a request to the
   *     peer that is stuck
   */
  public static void main(String... args) throws IOException {
    SimulatedDevice.set("completions of a queue", Integer.parseInt(args[0]));
    try (IbTransport from = open(1);
        IbTransport stuck = open(2);
        IbTransport other = open(3)) {
      CopiedStream much = new CopiedStream(new AtomicLong(), Integer.parseInt(args[1]));
      CopiedStream _ = CopiedStream.connect(from, stuck, much);
      IbLink link = from.register().iterator().next();
      SimulatedDevice.set("held pair", Objects.requireNonNull(link.queuePair()).number());
      much.send(Long.MAX_VALUE);
      CopiedStream some = new CopiedStream(new AtomicLong());
      CopiedStream there = CopiedStream.connect(from, other, some);
      for (int i = 1; i <= TIMES; i++) {
        long expected = i * LENGTH;
        some.send(LENGTH);
        Awaiting.await("arrived", () -> there.received() == expected);
      }
      System.out.println("while one is stuck: " + !much.isClosed());
      System.exit(0); // it stays so
    }
  }

  private static IbTransport open(int id) {
    return IbTransport.open(
        new TransportConfig(id, 1, IdleStrategy.parking(), 1 << 22, Duration.ofSeconds(10)),
        IbOptions.of(System::getProperty));
  }
}
