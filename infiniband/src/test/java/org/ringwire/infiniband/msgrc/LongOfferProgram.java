package org.ringwire.infiniband.msgrc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/**
 * Offers several chains of requests at once, of memory that is no ring, to a device that completes
 * at once. Says whether they were taken, and how often the writer has waited for room.
 */
final class LongOfferProgram {

  private static final long LENGTH = 4 << 20;

  private LongOfferProgram() {}

  /** A long frame. */
  private static final class Frame implements OutboundSource {
    private final MemorySegment memory = Arena.global().allocate(LENGTH);
    private long sent;

    @Override
    public long next(OutboundRanges ranges) {
      if (sent < LENGTH) {
        ranges.add(memory, memory.asByteBuffer(), sent, LENGTH - sent);
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

  public static void main(String... args) throws Exception {
    LinkedTransports.End here = new LinkedTransports.End();
    Counting there = new Counting();
    try (LinkedTransports linked = new LinkedTransports(here, there)) {
      System.out.println("taken: " + linked.link().write(new Frame()));
      System.out.println("waited: " + linked.transport().sender().stalls());
      System.out.println("arrived: " + LinkedTransports.await(there.all));
    }
    System.exit(0); // threads of what has not ended
  }

  /** Tells when all has arrived. */
  private static final class Counting extends LinkedTransports.End {
    private final CompletableFuture<Long> all = new CompletableFuture<>();
    private long received;

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      received += length;
      if (received == LENGTH) {
        all.complete(received);
      }
    }
  }
}
