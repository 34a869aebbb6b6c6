package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** An operation whose time is over, and whose queue pair the device does not let go of. */
final class LateKeptProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LITTLE = Duration.ofMillis(200);

  private LateKeptProgram() {}

  /** Prints how it ends, and the next one. */
  public static void main(String... args) {
    try (MemoryPair pair = new MemoryPair();
        ExportedMemory there =
            pair.owner().export(pair.arena().allocate(8, 8), MemoryPermission.WRITE)) {
      MemorySegment here = pair.arena().allocate(8, 8);
      RemoteRegion region = pair.user().open(there.descriptor());
      region.write(0, here, PATIENCE);
      // The user asks first, so its queue pair is the one before the last.
      SimulatedDevice.set("held pair", SimulatedDevice.get("last pair") - 1);
      SimulatedDevice.set("kept pairs", 1);
      try {
        region.write(0, here, LITTLE);
      } catch (RemoteMemoryException e) {
        System.out.println("ended: " + e.reason());
      } catch (MessagingException e) {
        System.out.println("ended: " + e);
      }
      region.write(0, here, PATIENCE);
      System.out.println("goes on");
    }
  }
}
