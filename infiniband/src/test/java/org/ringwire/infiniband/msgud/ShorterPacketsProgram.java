package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.link.CopiedStream;
import org.ringwire.testing.Awaiting;
import org.ringwire.transport.TransportConfig;

/**
 * Two transports of which one has shorter packets than its port, and a stranger who sends it longer
 * ones.
 */
public final class ShorterPacketsProgram {

  private static final int BYTES = 1_000_000;
  private static final int SHORTEST = 256;

  private ShorterPacketsProgram() {}

  /** Prints whether bytes go through in both directions, before and after. */
  public static void main(String... args) throws IOException {
    try (UdTransport one = open(1);
        UdTransport other = open(2, "mtu", "" + SHORTEST)) {
      CopiedStream here = new CopiedStream(new AtomicLong());
      CopiedStream there = CopiedStream.connect(one, other, here);
      exchange(here, there, 1);
      System.out.println("before: " + !here.isClosed());
      LongDatagram.send(other);
      exchange(here, there, 2);
      System.out.println("after: " + !here.isClosed());
    }
  }

  private static void exchange(CopiedStream here, CopiedStream there, int times) {
    here.send(BYTES);
    there.send(BYTES);
    Awaiting.await("arrived", () -> isOver(here, times) && isOver(there, times));
  }

  private static boolean isOver(CopiedStream end, int times) {
    return end.isClosed() || end.received() == (long) times * BYTES;
  }

  private static UdTransport open(int id, String... settings) {
    return UdProvider.open(
        new TransportConfig(id, 1, IdleStrategy.parking(), 1 << 22, Duration.ofSeconds(10)),
        (inner, _) -> inner,
        settings);
  }
}
