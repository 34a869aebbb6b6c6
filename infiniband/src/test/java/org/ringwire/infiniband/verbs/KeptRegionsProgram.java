package org.ringwire.infiniband.verbs;

import java.lang.foreign.Arena;
import org.ringwire.infiniband.device.RingRegions;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.ring.NativeMemory;

/** Memory of which a device does not let go, once each: of a ring, and of what was in use. */
public final class KeptRegionsProgram {

  private static final int LENGTH = 1 << 16;

  private KeptRegionsProgram() {}

  /** Prints whether that memory ends, and who needs the room is kept from it. */
  public static void main(String... args) {
    try (Device device = Devices.open("");
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      endRing(domain);
      makeRoom(domain);
    }
    System.out.println("left: " + SimulatedDevice.get("regions"));
  }

  private static void endRing(ProtectionDomain domain) {
    try (RingRegions rings = new RingRegions(domain)) {
      NativeMemory.Scope scope = NativeMemory.open("a ring");
      SimulatedDevice.set("kept regions", 1);
      boolean ended = rings.allocate(scope.arena(), LENGTH).byteSize() > 0;
      try {
        scope.close();
      } catch (VerbsException e) {
        ended = false;
      }
      System.out.println("ring ended: " + ended + " open: " + NativeMemory.openScopes());
    }
  }

  private static void makeRoom(ProtectionDomain domain) {
    try (Arena arena = Arena.ofShared();
        RegistrationCache cache = new RegistrationCache(domain, Access.LOCAL_WRITE, LENGTH)) {
      cache.release(cache.acquire(arena.allocate(LENGTH)));
      SimulatedDevice.set("kept regions", 1);
      try {
        cache.release(cache.acquire(arena.allocate(LENGTH)));
        System.out.println("registered: " + cache.cachedBytes() / LENGTH);
      } catch (VerbsException e) {
        System.out.println("refused: " + e.getMessage());
      }
    }
  }
}
