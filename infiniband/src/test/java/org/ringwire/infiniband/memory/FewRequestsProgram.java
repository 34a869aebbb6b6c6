package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** Writes more pieces than the queue pair takes requests, which are fewer than are configured. */
final class FewRequestsProgram {

  private static final long LENGTH = 8 << 20;

  private FewRequestsProgram() {}

  public static void main(String... args) {
    SimulatedDevice.set("requests of a pair", 4);
    try (MemoryPair pair = new MemoryPair();
        ExportedMemory there =
            pair.owner().export(pair.arena().allocate(LENGTH, 8), MemoryPermission.WRITE)) {
      MemorySegment here = pair.arena().allocate(LENGTH, 8);
      here.fill((byte) 1);
      pair.user()
          .open(there.descriptor())
          .writeAsync(0, here)
          .toCompletableFuture()
          .orTimeout(10, TimeUnit.SECONDS)
          .join();
      System.out.println("written: " + (there.memory().mismatch(here) < 0));
    }
  }
}
