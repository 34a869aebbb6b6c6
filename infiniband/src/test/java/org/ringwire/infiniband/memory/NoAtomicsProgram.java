package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.time.Duration;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** Writes to another node where devices have no atomics. */
public final class NoAtomicsProgram {

  private NoAtomicsProgram() {}

  /** Ends if the write succeeds. */
  public static void main(String... args) {
    SimulatedDevice.set("atomics", 0);
    try (MemoryPair pair = new MemoryPair();
        ExportedMemory exported =
            pair.owner().export(pair.arena().allocate(64), MemoryPermission.WRITE)) {
      pair.user()
          .open(exported.descriptor())
          .write(0, Arena.global().allocate(8), Duration.ofSeconds(20));
    }
    System.out.println("written");
  }
}
