package org.ringwire.infiniband.verbs;

import java.lang.foreign.Arena;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.Access;

/** Registers more memory than it may, in a process of its own. */
public final class LockedMemoryProgram {

  private static final long SMALL = 512 << 10;
  private static final long LARGE = 4 << 20;

  private LockedMemoryProgram() {}

  /** Prints what came of it. */
  public static void main(String... args) {
    try (Arena arena = Arena.ofShared();
        Device device = Devices.open("");
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      try (MemoryRegion _ = domain.register(arena.allocate(SMALL, 4096), Access.LOCAL_WRITE)) {
        System.out.println("small: " + domain.registeredBytes());
        try (MemoryRegion _ = domain.register(arena.allocate(LARGE, 4096), Access.LOCAL_WRITE)) {
          System.out.println("large: " + domain.registeredBytes());
        } catch (VerbsException e) {
          System.out.println(e.getMessage());
        }
      }
      try (MemoryRegion _ = domain.register(arena.allocate(SMALL, 4096), Access.LOCAL_WRITE)) {
        System.out.println("again: " + domain.registeredBytes());
      }
    }
  }
}
