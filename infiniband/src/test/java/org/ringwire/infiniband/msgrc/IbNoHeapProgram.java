package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.link.Transfer;
import org.ringwire.infiniband.transport.InfinibandTransportProvider;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/**
 * Two transports over InfiniBand, in whose process there is no heap left for some seconds while
 * links come and go, and then plenty; says whether links can be made again.
 */
final class IbNoHeapProgram {

  private static final long WITHOUT_NS = 10_000_000_000L;
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final long ATTEMPT_NS = 5_000_000_000L;
  private static final int LARGE = 64 << 10;
  private static final int SMALL = 16;

  private IbNoHeapProgram() {}

  /** Closes its link as soon as that is open. */
  private static final class Visitor implements LinkHandler {
    volatile boolean opened;
    volatile boolean closed;

    @Override
    public void opened(Link link) {
      opened = true;
      link.close();
    }

    @Override
    public void received(MemorySegment memory, long offset, long length) {}

    @Override
    public @Nullable ByteBuffer destination() {
      return null;
    }

    @Override
    public void receivedInDestination(int length) {}

    @Override
    public void writable() {}

    @Override
    public void closed(@Nullable Throwable cause) {
      closed = true;
    }
  }

  public static void main(String[] args) throws Exception {
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
        useUp();
      } finally {
        over.set(true);
      }
      for (Thread visitor : visitors) {
        visitor.join();
      }
      System.out.println("after: " + visitsInTime(one, address));
    }
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

  /** Takes all heap that there is, again and again. */
  private static void useUp() {
    long deadlineNs = System.nanoTime() + WITHOUT_NS;
    List<Object> taken = new ArrayList<>();
    while (System.nanoTime() - deadlineNs < 0) {
      take(taken, LARGE);
      take(taken, SMALL);
    }
  }

  private static void take(List<Object> into, int length) {
    try {
      while (true) {
        into.add(new byte[length]);
      }
    } catch (OutOfMemoryError e) {
      // until the next garbage is collected
    }
  }
}
