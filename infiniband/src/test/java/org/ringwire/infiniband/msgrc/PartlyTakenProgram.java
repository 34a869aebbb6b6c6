package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/**
 * A device takes less of a chain of requests than it has granted, while a request before it is
 * under way. Says what the writer, who waits for room, hears then.
 */
final class PartlyTakenProgram {

  private static final int LENGTH = 2000;
  private static final int TAKEN = 4;

  private PartlyTakenProgram() {}

  /** Hears of room or of the end. */
  private static final class Writing extends LinkedTransports.End {
    private final CompletableFuture<String> heard = new CompletableFuture<>();

    @Override
    public void writable() {
      heard.complete("there is room");
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      heard.complete(String.valueOf(cause));
    }
  }

  /** So many ranges of a ring, each of {@value #LENGTH} bytes: four of them are a request. */
  private static final class Ranges implements OutboundSource {
    private final MemorySegment ring;
    private int left;

    Ranges(MemorySegment ring, int count) {
      this.ring = ring;
      left = count;
    }

    @Override
    public long next(OutboundRanges ranges) {
      for (int i = 0; i < left; i++) {
        ranges.add(ring, ring.asByteBuffer(), (long) i * LENGTH, LENGTH);
      }
      return ranges.bytes();
    }

    @Override
    public void sent(long bytes) {
      left -= (int) (bytes / LENGTH);
    }

    @Override
    public void completed(long bytes) {}
  }

  /** One request is under way, then the device takes three of four. */
  public static void main(String... args) throws Exception {
    Writing here = new Writing();
    try (LinkedTransports linked = new LinkedTransports(here, new LinkedTransports.End());
        Arena arena = Arena.ofShared()) {
      IbLink link = (IbLink) linked.link();
      MemorySegment ring = linked.transport().allocateRing(link, arena, LinkedTransports.RING);
      SimulatedDevice.set("held pair", link.channel().queuePair().number());
      boolean _ = link.write(new Ranges(ring, 1));
      SimulatedDevice.set("requests of a pair", TAKEN);
      Ranges most = new Ranges(ring, 16);
      try {
        System.out.println("all: " + link.write(most));
      } catch (IOException e) {
        System.out.println("refused: " + e.getMessage());
      }
      System.out.println("left: " + most.left);
      SimulatedDevice.set("held pair", 0);
      System.out.println("heard: " + LinkedTransports.await(here.heard));
    }
    System.exit(0); // threads of what has not ended
  }
}
