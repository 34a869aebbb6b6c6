package org.ringwire.infiniband.memory;

import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.ring.NativeMemory;

/** Queue pairs that served peers, and that the device does not let go of at once. */
public final class RetiredPairProgram {

  private RetiredPairProgram() {}

  /** Prints what is left of the device after each step. */
  public static void main(String... args) {
    MemoryDevice device = open();
    retire(device);
    SimulatedDevice.set("kept pairs", 1);
    boolean _ = device.notices().poll();
    System.out.println("kept: " + SimulatedDevice.get("pairs"));
    device.close();
    System.out.println("after a poll: " + left());

    device = open();
    retire(device);
    retire(device);
    SimulatedDevice.set("kept pairs", 1);
    device.close();
    System.out.println("after the end: " + left());
  }

  private static void retire(MemoryDevice device) {
    RcQueuePair pair = device.createResponder();
    device.notices().retire(pair);
    device.notices().lastRequestReached(pair.number());
  }

  private static MemoryDevice open() {
    return new MemoryDevice(IbOptions.of(System::getProperty), 1 << 20, _ -> {});
  }

  private static String left() {
    return "pairs=" + SimulatedDevice.get("pairs") + " memory=" + NativeMemory.openOwners();
  }
}
