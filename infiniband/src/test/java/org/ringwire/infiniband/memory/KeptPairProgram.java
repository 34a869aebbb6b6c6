package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryDescriptor;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.types.WorkStatus;
import org.ringwire.testing.Awaiting;

/** A queue pair that a peer has replaced, and that the device does not let go of. */
final class KeptPairProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private KeptPairProgram() {}

  /** Prints whether memory can be used after that. */
  public static void main(String... args) {
    try (MemoryPair pair = new MemoryPair();
        ExportedMemory there =
            pair.owner().export(pair.arena().allocate(8, 8), MemoryPermission.WRITE)) {
      MemorySegment here = pair.arena().allocate(8, 8);
      write(pair, there.descriptor(), here);
      SimulatedDevice.set("failing status", WorkStatus.REM_ACCESS_ERR);
      try {
        write(pair, there.descriptor(), here);
      } catch (RemoteMemoryException e) {
        System.out.println("refused: " + e.reason());
      }
      SimulatedDevice.set("kept pairs", 1);
      write(pair, there.descriptor(), here);
      Awaiting.await("kept", () -> SimulatedDevice.get("kept pairs") == 0);
      write(pair, there.descriptor(), here);
      pair.owner().export(here, MemoryPermission.READ).close();
      System.out.println("goes on");
    }
    System.out.println("left: " + SimulatedDevice.get("pairs"));
  }

  private static void write(MemoryPair pair, MemoryDescriptor to, MemorySegment from) {
    pair.user().open(to).write(0, from, PATIENCE);
  }
}
