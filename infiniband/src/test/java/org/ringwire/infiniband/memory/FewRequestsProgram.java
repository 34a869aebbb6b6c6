package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** Writes more pieces than the queue pair takes requests, which are fewer than are configured. */
final class FewRequestsProgram {

  private static final long LENGTH = 8 << 20;

  private FewRequestsProgram() {}

  public static void main(String... args) {
    SimulatedDevice.set("requests of a pair", 4);
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = MemoryNode.open(directory, 1);
        Node two = MemoryNode.open(directory, 2);
        RemoteMemory owner = RemoteMemory.of(one);
        RemoteMemory user = RemoteMemory.of(two);
        Arena arena = Arena.ofShared();
        ExportedMemory there = owner.export(arena.allocate(LENGTH, 8), MemoryPermission.WRITE)) {
      MemorySegment here = arena.allocate(LENGTH, 8);
      here.fill((byte) 1);
      user.open(there.descriptor())
          .writeAsync(0, here)
          .toCompletableFuture()
          .orTimeout(10, TimeUnit.SECONDS)
          .join();
      System.out.println("written: " + (there.memory().mismatch(here) < 0));
    }
  }
}
