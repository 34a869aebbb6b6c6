package org.ringwire.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.lang.foreign.Arena;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.ringwire.NodeConfig.DrainMode;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.outbound.Flusher;
import org.ringwire.engine.outbound.OutboundPipe;
import org.ringwire.engine.outbound.OutboundStream;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.wire.FrameLayout;

/**
 * The hand-back of the consumer role: when both senders have returned, nothing is left in the ring,
 * although nobody else looks at it. Without the holder's second look, or without the fences, a
 * frame that was committed while the role was held stays behind.
 */
public final class PipeDrainTest {

  private static final int LENGTH = 16;
  private static final ReceiveBufferPool POOL = new ReceiveBufferPool(0);

  private static final SlowEncoders SLOW_ENCODERS =
      new SlowEncoders(Long.MAX_VALUE, new ErrorLog(0), new MessageCatalog());

  private PipeDrainTest() {}

  /** A link that takes what it is offered, and counts bytes. */
  private static final class CountingLink implements Link {

    private final OutboundRanges ranges = new OutboundRanges(4);
    private int fullWrites;
    private int bytes;

    CountingLink(int fullWrites) {
      this.fullWrites = fullWrites;
    }

    @Override
    public boolean write(OutboundSource source) {
      if (fullWrites > 0) {
        fullWrites--;
        return false;
      }
      for (long offered = source.next(ranges); offered > 0; offered = source.next(ranges)) {
        source.sent(offered);
        source.completed(offered);
        bytes += (int) offered;
      }
      return true;
    }

    @Override
    public void close() {}

    @Override
    public String remote() {
      return "nowhere";
    }
  }

  /** A pipe over a ring of 64 bytes. */
  private static final class StressedPipe {

    private final CountingLink link;
    private final OutboundRing ring =
        new OutboundRing(Arena.ofAuto().allocate(64, 64), new StressedRing().cursors);
    private final OutboundPipe pipe =
        new OutboundPipe(
            new OutboundStream(new ControlQueue(), () -> new byte[0], POOL),
            new SpaceWaiters(),
            new Flusher("never started", _ -> {}, _ -> {}),
            DrainMode.ADAPTIVE,
            SLOW_ENCODERS,
            cause -> {
              throw new IllegalStateException(cause);
            });

    /** The first so many writes find the medium full. */
    StressedPipe(int fullWrites) {
      link = new CountingLink(fullWrites);
      pipe.ring(ring);
    }

    void open() {
      pipe.open(link);
    }

    void commit() {
      long position = ring.tryClaim(LENGTH, Long.MAX_VALUE);
      ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));
    }
  }

  /** Two senders. */
  @JCStressTest
  @Outcome(id = "32, 1", expect = ACCEPTABLE, desc = "Both frames were written.")
  @State
  public static class Senders {

    private final StressedPipe it = new StressedPipe(0);

    /** Opens the link. */
    public Senders() {
      it.open();
    }

    /** Sends. */
    @Actor
    public void first() {
      it.commit();
      it.pipe.drain();
    }

    /** Sends. */
    @Actor
    public void second() {
      it.commit();
      it.pipe.drain();
    }

    /**
     * Looks at link and ring.
     *
     * @param result bytes written, whether the ring is empty
     */
    @Arbiter
    public void arbiter(II_Result result) {
      result.r1 = it.link.bytes;
      result.r2 = it.ring.isEmpty() ? 1 : 0;
    }
  }

  /** A sender finds the medium full while the transport says that it takes bytes again. */
  @JCStressTest
  @Outcome(id = "16, 1", expect = ACCEPTABLE, desc = "The frame was written.")
  @State
  public static class Writable {

    private final StressedPipe it = new StressedPipe(1);

    /** Commits a frame. */
    public Writable() {
      it.commit();
    }

    /** Opens the link, which is full. */
    @Actor
    public void sender() {
      it.open();
    }

    /** The transport, which always speaks after a write that found the medium full. */
    @Actor
    public void transport() {
      it.pipe.writable();
    }

    /**
     * Looks at link and ring.
     *
     * @param result bytes written, whether the ring is empty
     */
    @Arbiter
    public void arbiter(II_Result result) {
      result.r1 = it.link.bytes;
      result.r2 = it.ring.isEmpty() ? 1 : 0;
    }
  }
}
