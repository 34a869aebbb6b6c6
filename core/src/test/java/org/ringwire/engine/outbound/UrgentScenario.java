package org.ringwire.engine.outbound;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.transport.OutboundSource;
import org.ringwire.wire.FrameLayout;

/**
 * The moment at which it could be forgotten that somebody waits, as one fixed interleaving of the
 * real pipe and ring: a first sender is about to take the role, and has read that there is
 * something urgent; a second one takes the role and has written all there was; now a third one
 * commits what is urgent and finds the role taken; then the first takes the word back that it is
 * urgent, and does not get the role. Public, because {@link org.ringwire.testing.MutantLoader}
 * makes one.
 */
public final class UrgentScenario implements BooleanSupplier {

  private static final String SECOND = "second sender";
  private static volatile Runnable between = () -> {};

  private final CountDownLatch third = new CountDownLatch(1);
  private final CountDownLatch refused = new CountDownLatch(1);

  /** By reflection. */
  public UrgentScenario() {}

  /** Called when a sender has read that something is urgent, before it takes that back. */
  public static void between() {
    Runnable once = between;
    between = () -> {};
    once.run();
  }

  /** Whether all three messages were written, without the flusher. */
  @Override
  public boolean getAsBoolean() {
    try (NativeMemory.Scope scope = NativeMemory.open("scenario");
        ReceiveBufferPool buffers = new ReceiveBufferPool(0)) {
      OutboundRing ring = OutboundRing.over(scope.allocate(4096, 128));
      OutboundStream stream = new OutboundStream(new ControlQueue(), () -> new byte[0], buffers);
      OutboundPipe pipe = SinkLink.pipe(stream);
      pipe.ring(ring);
      pipe.open(
          new SinkLink() {
            @Override
            public boolean write(OutboundSource source) {
              boolean all = super.write(source);
              if (Thread.currentThread().getName().equals(SECOND) && third.getCount() > 0) {
                sendUrgently(pipe, ring);
                third.countDown();
                await(refused);
              }
              return all;
            }
          });
      pipe.drainLater(); // a burst: what is not urgent is left to the flusher
      Thread second = new Thread(pipe::drain, SECOND);
      between =
          () -> {
            second.start();
            await(third);
          };
      sendUrgently(pipe, ring);
      refused.countDown();
      second.join(TimeUnit.SECONDS.toMillis(30));
      return ring.isEmpty();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void sendUrgently(OutboundPipe pipe, OutboundRing ring) {
    long position = ring.tryClaim(16, 1024);
    ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, 16));
    pipe.urgentCommitted(SendContext.current(), ring, position);
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("nothing happens");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
