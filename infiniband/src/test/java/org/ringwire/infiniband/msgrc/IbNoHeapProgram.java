package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.link.Transfer;
import org.ringwire.infiniband.transport.InfinibandTransportProvider;
import org.ringwire.testing.HeapShortage;
import org.ringwire.transport.Link;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/**
 * Two transports over InfiniBand, in whose process there is no heap left for some seconds while
 * links come and go, and then plenty; says whether links can be made again, and whether the device
 * has something at the end that nobody knows of.
 */
final class IbNoHeapProgram {

  private static final long WITHOUT_NS = 10_000_000_000L;
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final long ATTEMPT_NS = 5_000_000_000L;

  private IbNoHeapProgram() {}

  /** Closes its link as soon as that is open. */
  private static final class Visitor extends Ignoring {
    volatile boolean opened;
    volatile boolean closed;

    @Override
    public void opened(Link link) {
      opened = true;
      link.close();
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      closed = true;
    }
  }

  /** Counts what cannot be closed, because something of it is still open. */
  private static final class Leftovers extends Handler {
    final AtomicInteger count = new AtomicInteger();

    @Override
    public void publish(LogRecord entry) {
      if (entry.getMessage().startsWith("cannot close a part")) {
        count.incrementAndGet();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  public static void main(String[] args) throws Exception {
    Leftovers leftovers = new Leftovers();
    Logger.getLogger("").addHandler(leftovers);
    try (Transport one = open(1);
        Transport two = open(2)) {
      String address = two.listen("127.0.0.1:0", remote -> new Visitor());
      System.out.println("before: " + visitsInTime(one, address));
      AtomicBoolean over = new AtomicBoolean();
      Thread[] visitors = new Thread[3];
      for (int i = 0; i < visitors.length; i++) {
        visitors[i] = Thread.ofPlatform().start(() -> visitUntil(over, one, address));
      }
      try {
        HeapShortage.last(WITHOUT_NS);
      } finally {
        over.set(true);
      }
      for (Thread visitor : visitors) {
        visitor.join();
      }
      System.out.println("after: " + visitsInTime(one, address));
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

  private static void visitUntil(AtomicBoolean over, Transport from, String address) {
    while (!over.get()) {
      boolean _ = visits(from, address);
    }
  }

  /** Whether a link is made, and ends. */
  private static boolean visits(Transport from, String address) {
    try {
      Visitor visitor = new Visitor();
      from.connect(address, visitor);
      long endNs = System.nanoTime() + ATTEMPT_NS;
      while (!visitor.closed && System.nanoTime() - endNs < 0) {
        LockSupport.parkNanos(1_000_000);
      }
      return visitor.opened && visitor.closed;
    } catch (RuntimeException | OutOfMemoryError e) {
      return false;
    }
  }

  private static boolean visitsInTime(Transport from, String address) {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    while (System.nanoTime() - deadlineNs < 0) {
      if (visits(from, address)) {
        return true;
      }
    }
    return false;
  }
}
