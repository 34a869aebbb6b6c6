package org.ringwire.engine.outbound;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.wire.FrameLayout;

/**
 * A thread puts off its drains of so many pipes that it needs a longer list of them, and the first
 * time there is heap for half of that only. Public, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public final class DeferScenario implements BooleanSupplier {

  private static final int FITTING = 4;
  private static int allocations;

  /** By reflection. */
  public DeferScenario() {}

  /** Called before each allocation. */
  public static void between() {
    if (++allocations == 2) {
      throw new OutOfMemoryError("as if there was no heap");
    }
  }

  /** Whether what could not be put off was written at once, and the rest at the end. */
  @Override
  public boolean getAsBoolean() {
    try (NativeMemory.Scope scope = NativeMemory.open("scenario");
        ReceiveBufferPool buffers = new ReceiveBufferPool(0)) {
      SendContext context = SendContext.current();
      context.beginBatch();
      List<OutboundRing> rings = new ArrayList<>();
      for (int index = 0; index < FITTING + 2; index++) {
        OutboundRing ring = OutboundRing.over(scope.allocate(4096, 128));
        rings.add(ring);
        sendUrgently(context, buffers, ring);
      }
      boolean atOnce = rings.get(FITTING).isEmpty();
      long putOff = rings.stream().filter(ring -> !ring.isEmpty()).count();
      context.endBatch();
      return atOnce && putOff == FITTING + 1 && rings.stream().allMatch(OutboundRing::isEmpty);
    } catch (OutOfMemoryError e) {
      return false; // a message that was committed, and nobody writes
    }
  }

  private static void sendUrgently(
      SendContext context, ReceiveBufferPool buffers, OutboundRing ring) {
    OutboundPipe pipe =
        SinkLink.pipe(new OutboundStream(new ControlQueue(), () -> new byte[0], buffers));
    pipe.ring(ring);
    pipe.open(new SinkLink());
    long position = ring.tryClaim(16, 1024);
    ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, 16));
    pipe.urgentCommitted(context, ring, position);
  }
}
