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

/** A link whose source fails after the device was given a request. Says how the link ends. */
final class FailedRequestProgram {

  private FailedRequestProgram() {}

  private static final class End extends Ignoring {
    private final CompletableFuture<Link> opened = new CompletableFuture<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();

    @Override
    public void opened(Link link) {
      opened.complete(link);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      closed.complete(cause + ", pairs=" + SimulatedDevice.get("pairs"));
    }
  }

  public static void main(String... args) throws Exception {
    IbOptions options = IbOptions.of(_ -> null);
    try (IbTransport one = IbTransport.open(config(1), options);
        IbTransport two = IbTransport.open(config(2), options);
        Arena arena = Arena.ofShared()) {
      End here = new End();
      CompletableFuture<Link> there = new CompletableFuture<>();
      two.connect(
          one.listen("127.0.0.1:0", _ -> here),
          new Ignoring() {
            @Override
            public void opened(Link link) {
              there.complete(link);
            }
          });
      there.orTimeout(20, TimeUnit.SECONDS).join();
      IbLink link = (IbLink) here.opened.orTimeout(20, TimeUnit.SECONDS).join();
      failInSource(one, link, arena);
      System.out.println("closed: " + here.closed.orTimeout(20, TimeUnit.SECONDS).join());
    }
    System.exit(0); // threads of what has not ended
  }

  private static TransportConfig config(int id) {
    return new TransportConfig(id, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
  }

  private static void failInSource(IbTransport transport, IbLink link, Arena arena)
      throws Exception {
    MemorySegment ring = transport.allocateRing(link, arena, 1 << 16);
    SimulatedDevice.set("held pair", link.channel().queuePair().number());
    try {
      boolean _ = link.write(new Forgetful(ring));
    } catch (OutOfMemoryError e) {
      link.close(); // as who writes does
    }
  }

  /** Cannot note what was sent. */
  private record Forgetful(MemorySegment ring) implements OutboundSource {

    @Override
    public long next(OutboundRanges ranges) {
      ranges.add(ring, ring.asByteBuffer(), 0, 1000);
      return ranges.bytes();
    }

    @Override
    public void sent(long bytes) {
      throw new OutOfMemoryError("as when a list grows");
    }

    @Override
    public void completed(long bytes) {}
  }
}
