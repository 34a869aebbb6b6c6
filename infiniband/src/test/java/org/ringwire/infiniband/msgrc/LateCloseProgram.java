package org.ringwire.infiniband.msgrc;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import org.ringwire.infiniband.simulated.OneByte;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.Awaiting;

/**
 * Closes a transport while a handler does not return. Says what is open of the device then, and
 * whether that changes when the handler has returned.
 */
final class LateCloseProgram {

  private LateCloseProgram() {}

  /** Returns from what it has received when it may. */
  private static final class Busy extends LinkedTransports.End {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      entered.countDown();
      try {
        mayReturn.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  public static void main(String... args) throws Exception {
    Busy here = new Busy();
    LinkedTransports.End there = new LinkedTransports.End();
    try (LinkedTransports _ = new LinkedTransports(here, there)) {
      boolean _ = there.opened.join().write(new OneByte());
      here.entered.await();
    }
    System.out.println("told: " + here.closed.isDone());
    System.out.println("open: " + SimulatedDevice.get("open devices"));
    here.mayReturn.countDown();
    Awaiting.await("end of the device", () -> SimulatedDevice.get("open devices") == 0);
    System.out.println("queue pairs: " + SimulatedDevice.get("pairs"));
  }
}
