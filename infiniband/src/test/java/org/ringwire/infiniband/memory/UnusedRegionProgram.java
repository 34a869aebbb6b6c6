package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.time.Duration;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.MemoryDescriptor;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.library.VerbsException;

/** Opens descriptors of nodes that nobody knows. Says what is registered, and when. */
final class UnusedRegionProgram {

  private static final int NODES = 10;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private UnusedRegionProgram() {}

  public static void main(String... args) {
    try (Node node = MemoryNode.open(NodeDirectory.mutable(), NODES);
        Arena arena = Arena.ofShared();
        Arena confined = Arena.ofConfined()) {
      NodeMemory memory = NodeMemory.of(node, RemoteMemoryConfig.DEFAULT);
      long before = memory.device().domain().registeredBytes();
      RemoteRegion first = open(memory, 0);
      for (int id = 1; id < NODES; id++) {
        RemoteRegion _ = open(memory, id);
      }
      long opened = memory.device().domain().registeredBytes();
      System.out.println("for descriptors: " + (opened - before));
      SimulatedDevice.set("more regions", 0);
      System.out.println("not locked: " + failure(first, arena));
      SimulatedDevice.set("more regions", 100);
      System.out.println("failed: " + failure(first, arena));
      SimulatedDevice.set("more regions", 0);
      System.out.println("of one thread, not locked: " + failure(first, confined));
      SimulatedDevice.set("more regions", 100);
      System.out.println("for use: " + (memory.device().domain().registeredBytes() - opened));
      RemoteRegion other = open(memory, 1);
      memory.close();
      System.out.println("closed: " + failure(other, arena));
      System.out.println("of one thread, closed: " + failure(first, confined));
    }
  }

  private static RemoteRegion open(NodeMemory memory, int id) {
    return memory.open(new MemoryDescriptor(id, 1, 4096, 8, 7, MemoryPermission.WRITE.bit(), 0));
  }

  private static String failure(RemoteRegion region, Arena arena) {
    try {
      region.write(0, arena.allocate(8), TIMEOUT);
      return "no";
    } catch (RemoteMemoryException e) {
      return e.reason() + (e.getCause() instanceof VerbsException why ? " " + why.verb() : "");
    }
  }
}
