package org.ringwire.infiniband.msgrc;

import static org.ringwire.infiniband.msgrc.LinkedTransports.await;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.types.WorkStatus;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/**
 * A link on which something is written when the thread that sends has nothing to do, and nothing
 * after that. Says what is heard of it.
 */
final class IdleSenderProgram {

  /**
   * It sleeps by then: a thread in a system call has no state that says for how long. Too short a
   * time would let the test pass without a reason, and never fail.
   */
  private static final long QUIET_MS = 300;

  private IdleSenderProgram() {}

  /** Some bytes of a ring, once. */
  private static final class Some implements OutboundSource {
    private static final int LENGTH = 1000; // too many to be copied into a request
    private final MemorySegment ring;
    private final CompletableFuture<Long> completed = new CompletableFuture<>();
    private long sent;

    Some(MemorySegment ring) {
      this.ring = ring;
    }

    @Override
    public long next(OutboundRanges ranges) {
      if (sent == 0) {
        ranges.add(ring, ring.asByteBuffer(), 0, LENGTH);
      }
      return ranges.bytes();
    }

    @Override
    public void sent(long bytes) {
      sent += bytes;
    }

    @Override
    public void completed(long bytes) {
      completed.complete(bytes);
    }
  }

  public static void main(String... args) throws Exception {
    LinkedTransports.End here = new LinkedTransports.End();
    try (LinkedTransports linked = new LinkedTransports(here, new LinkedTransports.End());
        Arena arena = Arena.ofShared()) {
      Link link = linked.link();
      MemorySegment ring = linked.transport().allocateRing(link, arena, LinkedTransports.RING);
      long _ = await(write(link, ring).completed); // by the event that the opening has asked for
      System.out.println("completed: " + await(write(link, ring).completed));
      SimulatedDevice.set("silent", 1); // no event tells of the queue pair
      SimulatedDevice.set("failing status", WorkStatus.RETRY_EXC_ERR);
      Some _ = write(link, ring);
      System.out.println("closed: " + await(here.closed));
    }
    System.exit(0); // threads of what has not ended
  }

  private static Some write(Link link, MemorySegment ring) throws Exception {
    Thread.sleep(QUIET_MS);
    Some some = new Some(ring);
    boolean _ = link.write(some);
    return some;
  }
}
