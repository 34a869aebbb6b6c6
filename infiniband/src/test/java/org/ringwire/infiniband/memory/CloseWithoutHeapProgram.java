package org.ringwire.infiniband.memory;

import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.FullHeap;

/** Remote memory that is closed while there is no heap, and the device is busy with a write. */
public final class CloseWithoutHeapProgram {

  private static final int EXPORTS = 1000; // to have them in a list needs more than is ever left

  private static final long LENGTH = 64 << 10; // used where it lies
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static volatile boolean full;

  private CloseWithoutHeapProgram() {}

  /** Prints what has become of the write, and that nothing is open when all was closed. */
  public static void main(String... args) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Arena arena = Arena.ofShared();
        Node first = MemoryNode.open(directory, 1);
        Node second = MemoryNode.open(directory, 2);
        Node third = MemoryNode.open(directory, 3)) {
      open(first, arena).close(); // everything is loaded, but for what ends queue pairs
      NodeMemory owning = NodeMemory.of(third, RemoteMemoryConfig.DEFAULT);
      NodeMemory memory = open(second, arena);
      MemorySegment there = arena.allocate(LENGTH);
      CompletableFuture<Void> write = beginWrite(owning, memory, there, arena.allocate(LENGTH));
      Thread closing = Thread.ofPlatform().start(() -> close(memory));
      while (isBusy(closing)) {
        if (!full) { // in this loop, so that the rest of it is loaded
          FullHeap.fill();
          full = true;
        }
      }
      if (write.isDone()) {
        SimulatedDevice.set("held pair", 0); // what has ended must not happen any more
      }
      FullHeap.empty();
      closing.join();
      memory.close();
      await("the end of the write", write::isDone);
      SimulatedDevice.set("held pair", 0);
      owning.close();
      await("its end", () -> SimulatedDevice.get("open devices") == 0);
      System.out.println("landed late: " + there.get(ValueLayout.JAVA_BYTE, 0));
    }
    System.out.println("closed");
  }

  /** The device keeps it waiting. */
  private static CompletableFuture<Void> beginWrite(
      NodeMemory owning, NodeMemory using, MemorySegment there, MemorySegment here) {
    RemoteRegion region = using.open(owning.export(there, MemoryPermission.WRITE).descriptor());
    region.write(0, here, PATIENCE);
    SimulatedDevice.set("held pair", SimulatedDevice.get("last pair") - 1);
    return region.writeAsync(0, here.fill((byte) 1)).toCompletableFuture();
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
