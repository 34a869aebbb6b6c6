package org.ringwire.infiniband.verbs;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.types.Access;

/**
 * Registers memory while very many regions are there that nobody uses. Says what that needs of the
 * heap, in which whoever went through all of them would write them down, and when one whose memory
 * has ended is found.
 */
final class ManyRegionsProgram {

  private static final int PAGE = 4096;
  private static final int REGIONS = 10_000;
  private static final int FEW = 100;
  private static final int HITS = 20; // more than are looked at for one that is new

  private ManyRegionsProgram() {}

  public static void main(String... args) {
    SimulatedDevice.set("more regions", 2 * REGIONS);
    Device device = Devices.open("");
    ProtectionDomain domain = device.allocateProtectionDomain();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(2L * REGIONS * PAGE, PAGE);
      System.out.println("heap: " + heapOfOne(domain, memory));
      System.out.println("found dead after: " + roundsUntilFoundDead(domain, memory));
    }
    domain.close();
    device.close();
  }

  /** The least of some, as the heap of a longer table is needed now and then. */
  private static long heapOfOne(ProtectionDomain domain, MemorySegment memory) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    try (RegistrationCache cache =
        new RegistrationCache(domain, Access.LOCAL_WRITE, (long) REGIONS * PAGE)) {
      cache.release(cache.acquire(memory.asSlice(0, REGIONS / 2L * PAGE))); // long ago
      for (int page = 0; page < REGIONS + 20; page++) { // beyond the limit
        MemorySegment each = memory.asSlice((long) (REGIONS / 2 + page) * PAGE, PAGE);
        long before = threads.getCurrentThreadAllocatedBytes();
        MemoryRegion region = cache.acquire(each);
        long needed = threads.getCurrentThreadAllocatedBytes() - before;
        cache.release(region);
        least = page < REGIONS ? Long.MAX_VALUE : Math.min(least, needed);
      }
      if (cache.cachedBytes() != (long) REGIONS * PAGE) {
        throw new IllegalStateException("cachedBytes=" + cache.cachedBytes());
      }
    }
    return least;
  }

  private static int roundsUntilFoundDead(ProtectionDomain domain, MemorySegment memory) {
    int rounds = 0;
    try (RegistrationCache cache =
        new RegistrationCache(domain, Access.LOCAL_WRITE, (long) REGIONS * PAGE)) {
      use(cache, memory, 0, FEW);
      MemoryRegion dead;
      try (Arena shortLived = Arena.ofShared()) {
        dead = cache.acquire(shortLived.allocate(PAGE, PAGE));
        cache.release(dead);
        use(cache, memory, FEW, FEW); // by then it has been looked at
      }
      while (!dead.isClosed() && rounds < FEW) {
        rounds++;
        use(cache, memory, rounds * HITS % FEW, HITS); // each of which is behind all others then
        use(cache, memory, 2 * FEW + rounds, 1);
      }
    }
    return rounds;
  }

  private static void use(RegistrationCache cache, MemorySegment memory, int first, int pages) {
    for (int page = first; page < first + pages; page++) {
      cache.release(cache.acquire(memory.asSlice((long) page * PAGE, PAGE)));
    }
  }
}
