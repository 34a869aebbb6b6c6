package org.ringwire.engine.outbound.detached;

import java.util.function.BooleanSupplier;
import org.ringwire.ring.ReceiveBufferPool;

/**
 * A sender gives up to wait for a grant, and there is no heap to look for what it has announced.
 * Public, because {@link org.ringwire.testing.MutantLoader} makes one.
 */
public final class EndAwaitScenario implements BooleanSupplier {

  private static final long LENGTH = 1 << 20;
  private static final long OTHER = 2 << 20;

  private static boolean noHeap;

  private final ControlQueue control = new ControlQueue();
  private final NewFrames newFrames = new NewFrames(control);
  private long nowNs;

  /** By reflection. */
  public EndAwaitScenario() {}

  /** Called before a look at what is announced. */
  public static void look() {
    if (noHeap) {
      throw new OutOfMemoryError("as if there was no heap");
    }
  }

  /** Whether what it was granted goes back while another one waits. */
  @Override
  public boolean getAsBoolean() {
    ReceiveBufferPool buffers = new ReceiveBufferPool(0);
    LargeFrames frames = new LargeFrames(buffers, control, 4 << 20, () -> nowNs);
    beginToWait(frames, LENGTH);
    noHeap = true;
    endAwait(frames);
    noHeap = false;
    beginToWait(frames, OTHER);
    DetachedFrame _ = frames.granted(1);
    int announced = newFrames.count();
    nowNs += LargeFrames.LEFT_NS;
    for (int look = 0; look < 2; look++) {
      boolean _ = frames.giveBackAhead();
    }
    int givenBack = newFrames.count();
    frames.close();
    buffers.close();
    return announced == 2 && givenBack == 1;
  }

  private static void beginToWait(LargeFrames frames, long length) {
    frames.beginAwait(length);
    long _ = frames.tryTakeGrant(length);
  }

  private static void endAwait(LargeFrames frames) {
    try {
      boolean _ = frames.endAwait(LENGTH, false);
    } catch (OutOfMemoryError e) {
      // its caller is told so; the wait has ended
    }
  }
}
