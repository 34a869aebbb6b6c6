package org.ringwire.infiniband.memory;

import static org.ringwire.testing.Awaiting.await;

import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.types.AsyncEvent;

/** A queue pair that is stopped has taken a receive request, which comes back late. */
public final class RetiredRequestProgram {

  private static final int POLLS = 3;

  private RetiredRequestProgram() {}

  /** Prints what there is when it was stopped, and when the device has told of the last request. */
  public static void main(String... args) {
    SimulatedDevice.set("held flushes", 1);
    try (MemoryDevice device =
        new MemoryDevice(IbOptions.of(System::getProperty), 1 << 20, _ -> {})) {
      device.notices().retire(receiving(device));
      for (int i = 0; i < POLLS; i++) {
        boolean _ = device.notices().poll();
      }
      System.out.println("stopped: " + state());

      SimulatedDevice.set("held flushes", 0);
      AsyncEvent event = device.device().takeAsyncEvent();
      device.notices().lastRequestReached(event == null ? 0 : event.number());
      boolean _ = device.notices().poll();
      System.out.println("told: " + state());

      SimulatedDevice.set("silent", 1);
      device.notices().retire(receiving(device));
      await(
          "its end all the same",
          () -> device.notices().poll() && SimulatedDevice.get("pairs") == 0);
      System.out.println("silent: " + state());
    }
  }

  private static RcQueuePair receiving(MemoryDevice device) {
    RcQueuePair pair = device.createResponder();
    device.admit(pair, device.end(pair), device.end(pair));
    SimulatedDevice.set("begun messages", 1);
    return pair;
  }

  private static String state() {
    return "pairs=" + SimulatedDevice.get("pairs") + " posted=" + SimulatedDevice.get("posted");
  }
}
