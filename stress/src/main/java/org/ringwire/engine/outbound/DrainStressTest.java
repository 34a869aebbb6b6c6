package org.ringwire.engine.outbound;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.Arena;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.ringwire.NodeConfig.DrainMode;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.wire.FrameLayout;

/**
 * Two senders, one of which holds the consumer role of a pipe while the other commits: whatever
 * both have sent was written when both have returned. The real pipe and ring; the medium takes
 * everything.
 */
@JCStressTest
@Outcome(id = "2", expect = ACCEPTABLE, desc = "Both messages were written.")
@Outcome(id = "-1", expect = FORBIDDEN, desc = "A message was forgotten in the ring.")
@State
public class DrainStressTest {

  private static final ReceiveBufferPool BUFFERS = new ReceiveBufferPool(0);
  private static final Flusher FLUSHER = new Flusher("not started", _ -> {});
  private static final int RINGS = 1 << 14;
  private static final OutboundRing[] FREE = new OutboundRing[RINGS];
  private static int used; // states are made by one thread at a time

  private final OutboundRing ring;
  private final OutboundPipe pipe;

  private static final class SinkLink implements Link {
    private final OutboundRanges ranges = new OutboundRanges(4);

    @Override
    public boolean write(OutboundSource source) {
      for (long bytes = source.next(ranges); bytes > 0; bytes = source.next(ranges)) {
        source.sent(bytes);
        source.completed(bytes);
      }
      return true;
    }

    @Override
    public void close() {}

    @Override
    public String remote() {
      return "sink";
    }
  }

  /** A quiet pipe. */
  public DrainStressTest() {
    ring = nextRing();
    OutboundStream stream = new OutboundStream(new ControlQueue(), () -> new byte[0], BUFFERS);
    pipe =
        new OutboundPipe(
            stream,
            new SpaceWaiters(),
            FLUSHER,
            DrainMode.ADAPTIVE,
            new SlowEncoders(Long.MAX_VALUE, new ErrorLog(0)),
            cause -> {
              throw new IllegalStateException(cause);
            });
    pipe.ring(ring);
    pipe.open(new SinkLink());
  }

  /** Rings are used again, long after: a drained ring is as good as a new one. */
  private static synchronized OutboundRing nextRing() {
    int index = used++ & (RINGS - 1);
    OutboundRing ring = FREE[index];
    if (ring == null || !ring.isEmpty()) {
      ring = OutboundRing.over(Arena.global().allocate(4096, 128));
      FREE[index] = ring;
    }
    return ring;
  }

  private void send() {
    long position = ring.tryClaim(16, Long.MAX_VALUE);
    ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, 16));
    pipe.drain();
  }

  /** Sends. */
  @Actor
  public void first() {
    send();
  }

  /** Sends. */
  @Actor
  public void second() {
    send();
  }

  /**
   * Looks at the ring.
   *
   * @param result 2, or -1 if something is left
   */
  @Arbiter
  public void arbiter(I_Result result) {
    result.r1 = ring.isEmpty() ? 2 : -1;
  }
}
