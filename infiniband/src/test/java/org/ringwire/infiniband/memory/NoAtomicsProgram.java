package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.time.Duration;
import org.ringwire.Authentication;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
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
    try (Node owner = open(directory, 1);
        Node user = open(directory, 2);
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

  private static Node open(NodeDirectory.Mutable directory, int id) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .peers(directory)
                .listen("127.0.0.1:0")
                .authentication(Authentication.none())
                .build());
    directory.put(id, String.valueOf(node.address()));
    return node;
  }
}
