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
import org.ringwire.infiniband.verbs.types.WorkStatus;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.TransportConfig;

/**
 * A link on which something is written when the thread that sends has nothing to do, and nothing
 * after that. Says what is heard of it.
 */
final class IdleSenderProgram {

  private static final long QUIET_MS = 300; // it sleeps by then

  private IdleSenderProgram() {}

  private static final class End extends Ignoring {
    private final CompletableFuture<Link> opened = new CompletableFuture<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();

    @Override
    public void opened(Link link) {
      opened.complete(link);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      closed.complete(String.valueOf(cause));
    }
  }

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
    IbOptions options = IbOptions.of(_ -> null);
    try (IbTransport one = IbTransport.open(config(1), options);
        IbTransport two = IbTransport.open(config(2), options);
        Arena arena = Arena.ofShared()) {
      End here = new End();
      End there = new End();
      two.connect(one.listen("127.0.0.1:0", _ -> here), there);
      await(there.opened);
      Link link = await(here.opened);
      MemorySegment ring = one.allocateRing(link, arena, 1 << 16);
      await(write(link, ring).completed); // by the event that the opening has asked for
      System.out.println("completed: " + await(write(link, ring).completed));
      SimulatedDevice.set("silent", 1); // no event tells of the queue pair
      SimulatedDevice.set("failing status", WorkStatus.RETRY_EXC_ERR);
      Some _ = write(link, ring);
      System.out.println("closed: " + await(here.closed));
    }
    System.exit(0); // threads of what has not ended
  }

  private static TransportConfig config(int id) {
    return new TransportConfig(id, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
  }

  private static Some write(Link link, MemorySegment ring) throws Exception {
    Thread.sleep(QUIET_MS);
    Some some = new Some(ring);
    boolean _ = link.write(some);
    return some;
  }

  private static <T> T await(CompletableFuture<T> something) {
    return something.orTimeout(20, TimeUnit.SECONDS).join();
  }
}
