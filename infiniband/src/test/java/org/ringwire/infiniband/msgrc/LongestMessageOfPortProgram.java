package org.ringwire.infiniband.msgrc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.transport.Link;

/** Sends more at once than a message of the port may have, and the peer would take. */
final class LongestMessageOfPortProgram {

  private static final int LONGEST = 4096;
  private static final int LENGTH = 4 * LONGEST + 1;

  private LongestMessageOfPortProgram() {}

  /** Counts bytes until all are there, or the link has ended. */
  private static final class Counting extends LinkedTransports.End {
    private long received;

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      received += length;
      if (received == LENGTH) {
        closed.complete("all");
      }
    }
  }

  public static void main(String... args) throws Exception {
    SimulatedDevice.set("longest message", LONGEST);
    Counting there = new Counting();
    try (LinkedTransports linked = new LinkedTransports(new LinkedTransports.End(), there);
        Arena arena = Arena.ofShared()) {
      Link link = linked.link();
      MemorySegment ring = linked.transport().allocateRing(link, arena, LinkedTransports.RING);
      boolean _ = link.write(new LongFrame(ring, LENGTH));
      System.out.println("arrived: " + LinkedTransports.await(there.closed));
    }
    System.exit(0); // threads of what has not ended
  }
}
