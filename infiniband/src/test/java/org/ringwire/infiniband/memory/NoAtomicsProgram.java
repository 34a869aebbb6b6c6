package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.time.Duration;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** Writes to another node where devices have no atomics. */
public final class NoAtomicsProgram {

  private NoAtomicsProgram() {}

  /** Ends if the write succeeds. */
  public static void main(String... args) {
    SimulatedDevice.set("atomics", 0);
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node owner = MemoryNode.open(directory, 1);
        Node user = MemoryNode.open(directory, 2);
        RemoteMemory owning = RemoteMemory.of(owner);
        RemoteMemory using = RemoteMemory.of(user);
        Arena arena = Arena.ofShared()) {
      try (ExportedMemory exported = owning.export(arena.allocate(64), MemoryPermission.WRITE)) {
        using
            .open(exported.descriptor())
            .write(0, Arena.global().allocate(8), Duration.ofSeconds(20));
      }
    }
    System.out.println("written");
  }
}
