package org.ringwire.engine.outbound;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ringwire.NodeConfig.DrainMode;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.engine.request.Crowd;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.wire.FrameLayout;

/**
 * A pipe and its ring, of which nothing was written yet; the medium takes everything, and nobody
 * comes back for what is left in the ring.
 */
final class QuietPipe {

  private static final VarHandle BURST = burst();
  private static final ReceiveBufferPool BUFFERS = new ReceiveBufferPool(0);
  private static final Flusher FLUSHER = new Flusher("not started", _ -> {}, _ -> {});
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

  private static VarHandle burst() {
    try {
      return MethodHandles.privateLookupIn(OutboundPipe.class, MethodHandles.lookup())
          .findVarHandle(OutboundPipe.class, "burst", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** On a quiet link. */
  QuietPipe() {
    this(FLUSHER);
  }

  private QuietPipe(Flusher flusher) {
    ring = nextRing();
    OutboundStream stream = new OutboundStream(new ControlQueue(), () -> new byte[0], BUFFERS);
    pipe =
        new OutboundPipe(
            stream,
            new SpaceWaiters(),
            flusher,
            DrainMode.ADAPTIVE,
            new SlowEncoders(Long.MAX_VALUE, new ErrorLog(0), new MessageCatalog()),
            cause -> {
              throw new IllegalStateException(cause);
            });
    pipe.ring(ring);
    pipe.open(new SinkLink());
  }

  /** In a burst: what nobody waits for is left to the flusher, which does not come. */
  static QuietPipe inBurst() {
    QuietPipe quiet = new QuietPipe(new Flusher("not started", _ -> {}, _ -> {}));
    quiet.pipe.drainLater();
    return quiet;
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

  /** Sends a message that may wait for more. */
  void send() {
    commit();
    pipe.drain();
  }

  /** Sends a message that somebody waits for. */
  void sendUrgently() {
    pipe.urgentCommitted(SendContext.current(), ring, commit());
  }

  /** Sends a message that somebody waits for, unless the thread that reads is going to. */
  void sendInCrowd(Crowd crowd) {
    commit();
    if (!crowd.leavesToReader()) {
      pipe.drain();
    }
  }

  /** Sends a message that the flusher may come for. */
  void sendInBurst() {
    pipe.messageCommitted(commit());
  }

  /** The flusher; whether it comes again. */
  boolean tick() {
    return pipe.tick() != Flusher.Tick.ENDED;
  }

  /** Whether the flusher was told to come. */
  boolean isInBurst() {
    return (boolean) BURST.getVolatile(pipe);
  }

  /** Writes what others have left. */
  void drainLeft() {
    pipe.drainLeft();
  }

  private long commit() {
    long position = ring.tryClaim(16, Long.MAX_VALUE);
    ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, 16));
    return position;
  }

  /** Whether all was written. */
  boolean isDrained() {
    return ring.isEmpty();
  }
}
