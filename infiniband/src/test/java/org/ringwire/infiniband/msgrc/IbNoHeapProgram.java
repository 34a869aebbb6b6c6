package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.device.DeviceParts;
import org.ringwire.infiniband.link.Transfer;
import org.ringwire.infiniband.transport.InfinibandTransportProvider;
import org.ringwire.testing.NoHeapVisits;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/**
 * Two transports over InfiniBand, in whose process there is no heap left for some seconds while
 * links come and go, and then plenty; says whether links can be made again, and whether the device
 * has something at the end that nobody knows of.
 */
final class IbNoHeapProgram {

  private static final long WITHOUT_NS = 10_000_000_000L;

  private IbNoHeapProgram() {}

  /** Counts what {@link DeviceParts} complains of: parts with something that is still open. */
  private static final class Leftovers extends Handler {
    final AtomicInteger count = new AtomicInteger();

    @Override
    public void publish(LogRecord entry) {
      count.incrementAndGet();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  public static void main(String[] args) throws Exception {
    Leftovers leftovers = new Leftovers();
    Logger partsLog = Logger.getLogger(DeviceParts.class.getName()); // kept: it may be collected
    partsLog.addHandler(leftovers);
    try (Transport one = open(1);
        Transport two = open(2)) {
      NoHeapVisits.run(one, two, "127.0.0.1:0", WITHOUT_NS);
    }
    System.out.println("left: " + leftovers.count);
    System.exit(0); // whatever the hunger has left behind
  }

  private static Transport open(int id) throws IOException {
    return new InfinibandTransportProvider()
        .open(
            new TransportConfig(
                id, 1, IdleStrategy.parking(), Transfer.RING, Duration.ofSeconds(5)));
  }
}
