package org.ringwire.infiniband.verbs;

import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ringwire.infiniband.verbs.types.Access;

/** Memory of an automatic arena, of which in the end nobody knows but a cache of registrations. */
public final class AutomaticArenaProgram {

  private static final int LENGTH = 1 << 20;

  private AutomaticArenaProgram() {}

  /** Prints whether the memory has ended while it was in use, and ends when it has after that. */
  public static void main(String... args) {
    try (Device device = Devices.open("");
        ProtectionDomain domain = device.allocateProtectionDomain();
        RegistrationCache cache = new RegistrationCache(domain, Access.LOCAL_WRITE, LENGTH)) {
      AtomicBoolean ended = new AtomicBoolean();
      MemoryRegion region = cache.acquire(newMemory(ended));
      System.gc();
      System.out.println("ended in use: " + ended);
      cache.release(region);
      await(
          "ended",
          () -> {
            System.gc();
            return ended.get();
          });
      try (Arena arena = Arena.ofShared()) { // what has ended makes room
        cache.release(cache.acquire(arena.allocate(LENGTH)));
      }
      System.out.println("evicted: " + cache.evictions());
    }
  }

  @SuppressWarnings("restricted")
  private static MemorySegment newMemory(AtomicBoolean ended) {
    Arena arena = Arena.ofAuto();
    MemorySegment _ = MemorySegment.NULL.reinterpret(arena, _ -> ended.set(true));
    return arena.allocate(LENGTH);
  }
}
