package org.ringwire.infiniband.memory;

import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryDescriptor;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** Queue pairs that do not become ready, and that the device does not let go of at once. */
public final class UnreadyPairProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private UnreadyPairProgram() {}

  /** Prints what is left of the device when all was closed, after each of the failures. */
  public static void main(String... args) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Arena arena = Arena.ofShared();
        Node owner = MemoryNode.open(directory, 1);
        Node user = MemoryNode.open(directory, 2);
        Node other = MemoryNode.open(directory, 3);
        Node third = MemoryNode.open(directory, 4)) {
      MemorySegment memory = arena.allocate(Long.BYTES);
      MemoryDescriptor descriptor;
      try (NodeMemory owning = NodeMemory.of(owner, RemoteMemoryConfig.DEFAULT)) {
        ExportedMemory exported = owning.export(memory, MemoryPermission.WRITE);
        descriptor = exported.descriptor();
        String end =
            write(
                user,
                memory,
                descriptor,
                _ -> {
                  throw new IllegalStateException("as if there was no way");
                });
        System.out.println("not connected: " + end);
        System.out.println("closed meanwhile: " + writeAndClose(other, memory, descriptor));
        exported.close();
      }
      System.out.println("after that: " + left());
      System.out.println("not admitted: " + write(third, memory, descriptor, _ -> {}));
      System.out.println("after the end: " + left());
    }
  }

  /** By a memory of its own; what has become of it. */
  private static String write(
      Node user, MemorySegment memory, MemoryDescriptor to, Consumer<QueueEnd> looksFor) {
    try (NodeMemory using = NodeMemory.of(user, RemoteMemoryConfig.DEFAULT, looksFor)) {
      SimulatedDevice.set("kept pairs", 1);
      using.open(to).write(0, memory, PATIENCE);
      return "done";
    } catch (RemoteMemoryException e) {
      return e.reason().name();
    }
  }

  /** By one that is closed while the way is looked for. */
  private static String writeAndClose(Node user, MemorySegment memory, MemoryDescriptor to) {
    AtomicBoolean looked = new AtomicBoolean();
    CompletableFuture<String> end = new CompletableFuture<>();
    Consumer<QueueEnd> looksFor =
        _ -> {
          looked.set(true);
          await("the end of the write", end::isDone);
        };
    try (NodeMemory using = NodeMemory.of(user, RemoteMemoryConfig.DEFAULT, looksFor)) {
      var _ =
          using
              .open(to)
              .writeAsync(0, memory)
              .whenComplete((_, why) -> end.complete(String.valueOf(why)));
      await("a way is looked for", looked::get);
    }
    return end.join();
  }

  private static String left() {
    return "pairs="
        + SimulatedDevice.get("pairs")
        + " devices="
        + SimulatedDevice.get("open devices");
  }
}
