package org.ringwire.infiniband.verbs;

import java.lang.foreign.Arena;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.Access;

/** Registers more than the system allows, which is less than the cache would. */
public final class CacheLimitProgram {

  private static final int LENGTH = 1 << 16;

  private CacheLimitProgram() {}

  /** Prints what is registered when there was no room but that of what is unused, and for none. */
  public static void main(String... args) {
    try (Arena arena = Arena.ofShared();
        Device device = Devices.open("");
        ProtectionDomain domain = device.allocateProtectionDomain();
        RegistrationCache cache = new RegistrationCache(domain, Access.LOCAL_WRITE, 1L << 30)) {
      MemoryRegion used = cache.acquire(arena.allocate(LENGTH));
      cache.release(cache.acquire(arena.allocate(LENGTH)));
      SimulatedDevice.set("more regions", 0);
      MemoryRegion instead = cache.acquire(arena.allocate(LENGTH));
      System.out.println("used: " + cache.usedBytes() + " of " + cache.cachedBytes());
      try {
        cache.release(cache.acquire(arena.allocate(LENGTH)));
      } catch (VerbsException e) {
        System.out.println("refused: " + e.errno());
      }
      cache.release(used);
      cache.release(instead);
    }
  }
}
