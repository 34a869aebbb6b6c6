package org.ringwire.transport.selector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.TransportConfig;

/** A loop whose first failure of an entry is for want of heap; says whether it ends both. */
final class FirstFailureProgram {

  private static final int LARGE = 1 << 20;
  private static final List<Object> TAKEN = new ArrayList<>(4 * LARGE);

  private FirstFailureProgram() {}

  /** Fails at its beginning. */
  private static final class Failing extends SelectorEntry {

    private final CountDownLatch ended = new CountDownLatch(1);
    private final boolean takesAll;

    Failing(SelectorLoop loop, boolean takesAll) {
      super(loop);
      this.takesAll = takesAll;
    }

    @Override
    protected void begin() {
      if (takesAll) {
        takeAll();
      }
      throw new IllegalStateException("on purpose");
    }

    @Override
    protected void ready(int readyOps) {}

    @Override
    protected void end(@Nullable Throwable cause) {
      TAKEN.clear();
      ended.countDown();
    }
  }

  private static void takeAll() {
    for (int length = LARGE; length > 0; length /= 2) {
      try {
        while (true) {
          TAKEN.add(new byte[length - 1]);
        }
      } catch (OutOfMemoryError e) {
        // there is some left for less
      }
    }
  }

  public static void main(String[] args) throws InterruptedException {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(5));
    SelectorLoop loop = SelectorLoop.start(config, "test", 0);
    for (boolean takesAll : new boolean[] {true, false}) {
      Failing entry = new Failing(loop, takesAll);
      boolean _ = entry.signal(SelectorEntry.CONNECT);
      // Each attempt to take what is left of the heap collects it: seconds on a busy machine.
      boolean ended = entry.ended.await(100, TimeUnit.SECONDS);
      TAKEN.clear();
      System.out.println("ended: " + ended + " alive: " + loop.thread().isAlive());
    }
    System.exit(0);
  }
}
