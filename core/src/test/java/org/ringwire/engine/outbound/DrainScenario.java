package org.ringwire.engine.outbound;

import java.util.function.BooleanSupplier;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.transport.OutboundSource;
import org.ringwire.wire.FrameLayout;

/**
 * The moment at which messages could be forgotten, as one fixed interleaving of the real pipe and
 * ring: the holder of the consumer role has found nothing more to write; now a sender commits and
 * finds the role taken; then the holder gives it back. Public, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public final class DrainScenario implements BooleanSupplier {

  /** By reflection. */
  public DrainScenario() {}

  /** Does something once, after it has found nothing more to write. */
  private static final class LastLink extends SinkLink {
    private Runnable afterLast = () -> {};

    @Override
    public boolean write(OutboundSource source) {
      boolean all = super.write(source);
      Runnable once = afterLast;
      afterLast = () -> {};
      once.run();
      return all;
    }
  }

  /** Whether both messages were written. */
  @Override
  public boolean getAsBoolean() {
    try (NativeMemory.Scope scope = NativeMemory.open("scenario");
        ReceiveBufferPool buffers = new ReceiveBufferPool(0)) {
      OutboundRing ring = OutboundRing.over(scope.allocate(4096, 128));
      OutboundStream stream = new OutboundStream(new ControlQueue(), () -> new byte[0], buffers);
      OutboundPipe pipe = SinkLink.pipe(stream);
      LastLink link = new LastLink();
      pipe.ring(ring);
      pipe.open(link);
      StoreBuffer[] left = new StoreBuffer[1];
      link.afterLast = () -> left[0] = inAnotherThread(() -> send(pipe, ring));
      StoreBuffer.active().drop();
      send(pipe, ring);
      StoreBuffer.active().flush();
      if (left[0] == null) {
        throw new AssertionError("the second message was never sent");
      }
      left[0].flush(); // every store becomes visible in the end
      return ring.isEmpty();
    }
  }

  private static void send(OutboundPipe pipe, OutboundRing ring) {
    long position = ring.tryClaim(16, 1024);
    ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, 16));
    pipe.drain();
  }

  private static StoreBuffer inAnotherThread(Runnable body) {
    StoreBuffer[] buffer = new StoreBuffer[1];
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              body.run();
              buffer[0] = StoreBuffer.active();
            });
    try {
      thread.join(30_000);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return buffer[0];
  }
}
