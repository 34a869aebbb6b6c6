package org.ringwire.transport;

import java.time.Duration;
import java.util.Objects;
import org.ringwire.IdleStrategy;
import org.ringwire.ring.NativeMemory;
import org.ringwire.testing.NoHeapVisits;
import org.ringwire.transport.providers.TransportProviders;

/**
 * Two transports, {@code -Dtransport}, in whose process there is no heap left for some seconds
 * while links come and go; says whether links can be made again, and what memory is left at the
 * end.
 */
final class NoHeapVisitsProgram {

  private static final long WITHOUT_NS = 10_000_000_000L;
  private static final String TRANSPORT = System.getProperty("transport");

  private NoHeapVisitsProgram() {}

  public static void main(String[] args) throws Exception {
    try (Transport one = open(1);
        Transport two = open(2)) {
      NoHeapVisits.run(one, two, TRANSPORT.equals("tcp") ? "127.0.0.1:0" : "*", WITHOUT_NS);
    }
    System.out.println("left: " + NativeMemory.openOwners());
    System.exit(0); // whatever the hunger has left behind
  }

  private static Transport open(int id) {
    return Objects.requireNonNull(TransportProviders.find(TRANSPORT), "no such transport")
        .open(new TransportConfig(id, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(5)));
  }
}
