package org.ringwire.transport.loopback;

import java.time.Duration;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.FullHeap;
import org.ringwire.transport.TransportConfig;

/** Ends the thread of a transport in a process that has no heap left. */
final class FullHeapShutdownProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private FullHeapShutdownProgram() {}

  public static void main(String[] args) throws InterruptedException {
    LoopbackLoop loop =
        new LoopbackLoop(
            new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10)));
    loop.start();
    sleep(loop);
    loop.post(() -> {}); // what wakes it is loaded, as by any link
    sleep(loop);
    boolean lacking = false;
    FullHeap.fill();
    try {
      loop.shutdown();
    } catch (OutOfMemoryError e) {
      lacking = true;
    }
    FullHeap.empty();
    System.out.println("ended: " + loop.thread().join(PATIENCE) + " lacking: " + lacking);
    System.exit(0); // whatever has not ended
  }

  private static void sleep(LoopbackLoop loop) {
    while (loop.thread().getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }
}
