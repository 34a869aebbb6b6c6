package org.ringwire.infiniband.memory;

import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.Arena;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.simulated.FullHeap;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** Remote memory that is closed while there is no heap. */
public final class CloseWithoutHeapProgram {

  private static final int EXPORTS = 1000; // to have them in a list needs more than is ever left

  private static volatile boolean full;

  private CloseWithoutHeapProgram() {}

  /** Prints how many devices are open is open when it was closed. */
  public static void main(String... args) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Arena arena = Arena.ofShared();
        Node first = MemoryNode.open(directory, 1);
        Node second = MemoryNode.open(directory, 2)) {
      open(first, arena).close(); // everything is loaded
      NodeMemory memory = open(second, arena);
      Thread closing = Thread.ofPlatform().start(() -> close(memory));
      while (isBusy(closing)) {
        if (!full) { // in this loop, so that the rest of it is loaded
          FullHeap.fill();
          full = true;
        }
      }
      FullHeap.empty();
      closing.join();
      memory.close();
      await("its end", () -> SimulatedDevice.get("open devices") == 0);
    }
    System.out.println("closed");
  }

  private static NodeMemory open(Node node, Arena arena) {
    NodeMemory memory = NodeMemory.of(node, RemoteMemoryConfig.DEFAULT);
    for (int i = 0; i < EXPORTS; i++) {
      var _ = memory.export(arena.allocate(Long.BYTES), MemoryPermission.READ);
    }
    return memory;
  }

  private static boolean isBusy(Thread thread) {
    Thread.State state = thread.getState();
    return state != Thread.State.TERMINATED && state != Thread.State.TIMED_WAITING;
  }

  private static void close(NodeMemory memory) {
    while (!full) {
      Thread.onSpinWait();
    }
    try {
      memory.close();
    } catch (OutOfMemoryError e) {
      // it is closed again
    }
  }
}
