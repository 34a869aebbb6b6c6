package org.ringwire.infiniband.msgrc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.TransportConfig;

/** Sends more at once than a message of the port may have, and the peer would take. */
final class LongestMessageOfPortProgram {

  private static final int LONGEST = 4096;
  private static final int RING = 1 << 16;
  private static final int LENGTH = 4 * LONGEST + 1;

  private LongestMessageOfPortProgram() {}

  /** Counts bytes until all are there, or the link has ended. */
  private static final class End extends Ignoring {
    private final CompletableFuture<Link> opened = new CompletableFuture<>();
    private final CompletableFuture<String> outcome = new CompletableFuture<>();
    private long received;

    @Override
    public void opened(Link link) {
      opened.complete(link);
    }

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      received += length;
      if (received == LENGTH) {
        outcome.complete("all");
      }
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      outcome.complete(String.valueOf(cause));
    }
  }

  public static void main(String... args) throws Exception {
    SimulatedDevice.set("longest message", LONGEST);
    IbOptions options = IbOptions.of(_ -> null);
    try (IbTransport one = IbTransport.open(config(1), options);
        IbTransport two = IbTransport.open(config(2), options);
        Arena arena = Arena.ofShared()) {
      End here = new End();
      End there = new End();
      two.connect(one.listen("127.0.0.1:0", _ -> here), there);
      await(there.opened);
      Link link = await(here.opened);
      boolean _ = link.write(new Much(one.allocateRing(link, arena, RING)));
      System.out.println("arrived: " + await(there.outcome));
    }
    System.exit(0); // threads of what has not ended
  }

  private static TransportConfig config(int id) {
    return new TransportConfig(id, 1, IdleStrategy.parking(), RING, Duration.ofSeconds(10));
  }

  private static <T> T await(CompletableFuture<T> something) {
    return something.orTimeout(20, TimeUnit.SECONDS).join();
  }

  /** Bytes of a ring. */
  private static final class Much implements OutboundSource {
    private final MemorySegment ring;
    private long sent;

    Much(MemorySegment ring) {
      this.ring = ring;
    }

    @Override
    public long next(OutboundRanges ranges) {
      if (sent < LENGTH) {
        ranges.add(ring, ring.asByteBuffer(), sent, LENGTH - sent);
      }
      return ranges.bytes();
    }

    @Override
    public void sent(long bytes) {
      sent += bytes;
    }

    @Override
    public void completed(long bytes) {}
  }
}
