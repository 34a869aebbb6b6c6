package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** Prepares memory of several kinds, and says what is registered more after it. */
final class PreparedMemoryProgram {

  private static final int LENGTH = 100_000;

  private PreparedMemoryProgram() {}

  public static void main(String... args) {
    try (MemoryPair pair = new MemoryPair()) {
      prepare("native", pair, pair.arena().allocate(LENGTH));
      prepare("empty", pair, pair.arena().allocate(0));
      prepare("heap", pair, MemorySegment.ofArray(new byte[LENGTH]).asSlice(16));
    }
  }

  private static void prepare(String what, MemoryPair pair, MemorySegment memory) {
    int before = SimulatedDevice.get("regions");
    String failure = "";
    try {
      pair.user().prepare(memory);
    } catch (IllegalArgumentException e) {
      failure = " " + e.getMessage();
    }
    System.out.println(what + ": " + (SimulatedDevice.get("regions") - before) + failure);
  }
}
