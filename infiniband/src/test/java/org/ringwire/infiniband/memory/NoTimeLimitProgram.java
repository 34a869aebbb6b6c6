package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteRegion;

/** Operations without a time limit, with memory that is used where it lies. */
public final class NoTimeLimitProgram {

  private static final int LENGTH = 64 << 10;
  private static final Duration NONE = null;

  private NoTimeLimitProgram() {}

  /** Prints what each ends with, and how many bytes are in use after all. */
  public static void main(String... args) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Arena arena = Arena.ofShared();
        Node owner = MemoryNode.open(directory, 1);
        Node user = MemoryNode.open(directory, 2);
        NodeMemory owning = NodeMemory.of(owner, RemoteMemoryConfig.DEFAULT);
        NodeMemory using = NodeMemory.of(user, RemoteMemoryConfig.DEFAULT);
        ExportedMemory exported =
            owning.export(arena.allocate(LENGTH, 8), (_, _) -> {}, MemoryPermission.values())) {
      MemorySegment memory = arena.allocate(LENGTH);
      RemoteRegion region = using.open(exported.descriptor());
      print("read", () -> region.read(0, memory, NONE));
      print("write", () -> region.write(0, memory, NONE));
      print("empty write", () -> region.write(0, memory.asSlice(0, 0), NONE));
      print("notify", () -> region.writeAndNotify(0, memory, 1, NONE));
      print("add", () -> region.fetchAndAdd(0, 1, NONE));
      print("swap", () -> region.compareAndSwap(0, 1, 2, NONE));
      System.out.println("in use: " + using.device().registrations().usedBytes());
    }
  }

  private static void print(String what, Runnable operation) {
    try {
      operation.run();
      System.out.println(what + ": done");
    } catch (NullPointerException e) {
      System.out.println(what + ": " + e.getMessage());
    }
  }
}
