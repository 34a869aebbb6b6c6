package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/**
 * A write of many pieces, of which the device takes fewer than it has granted. Says how it ends.
 */
final class RefusedRequestsProgram {

  private static final long LENGTH = 8 << 20;

  private RefusedRequestsProgram() {}

  /**
   * Prints it, or that it has not ended.
   *
   * @param args how many requests the device takes
   */
  public static void main(String... args) {
    try (MemoryPair pair = new MemoryPair();
        ExportedMemory there =
            pair.owner().export(pair.arena().allocate(LENGTH, 8), MemoryPermission.WRITE)) {
      MemorySegment here = pair.arena().allocate(LENGTH, 8);
      RemoteRegion region = pair.user().open(there.descriptor());
      region.write(0, here.asSlice(0, 8), Duration.ofSeconds(10)); // connects
      SimulatedDevice.set("requests of a pair", Integer.parseInt(args[0]));
      try {
        region.writeAsync(0, here).toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
        System.out.println("written");
      } catch (CompletionException e) {
        System.out.println("ended: " + e.getCause());
      }
    }
  }
}
