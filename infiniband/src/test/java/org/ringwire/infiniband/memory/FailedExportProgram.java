package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.util.HashSet;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** Exports as much as may be where there is no heap to note it; says what is left of that. */
final class FailedExportProgram {

  private static final int LENGTH = 1 << 16;

  private FailedExportProgram() {}

  /** Finds no heap, once. */
  private static final class Full extends HashSet<Export> {
    private static final long serialVersionUID = 1;
    private boolean wasFull;

    @Override
    public boolean add(Export export) {
      if (!wasFull) {
        wasFull = true;
        throw new OutOfMemoryError("as when it grows");
      }
      return super.add(export);
    }
  }

  public static void main(String... args) throws ReflectiveOperationException {
    RemoteMemoryConfig standard = RemoteMemoryConfig.DEFAULT;
    RemoteMemoryConfig config =
        new RemoteMemoryConfig(LENGTH, 1 << 20, 1, 8, standard.connectTimeout());
    try (Node node = MemoryNode.open(NodeDirectory.mutable(), 1);
        Arena arena = Arena.ofShared();
        NodeMemory memory = NodeMemory.of(node, config)) {
      Field exports = NodeMemory.class.getDeclaredField("exports");
      exports.setAccessible(true);
      Field all = Exports.class.getDeclaredField("exports");
      all.setAccessible(true);
      all.set(exports.get(memory), new Full());
      long before = memory.device().domain().registeredBytes();
      MemorySegment segment = arena.allocate(LENGTH);
      try {
        ExportedMemory _ = memory.export(segment, MemoryPermission.WRITE);
      } catch (OutOfMemoryError e) {
        System.out.println("left: " + (memory.device().domain().registeredBytes() - before));
      }
      try (ExportedMemory next = memory.export(segment, MemoryPermission.WRITE)) {
        System.out.println("next: " + next.descriptor().length());
      }
    }
    System.out.println("devices: " + SimulatedDevice.get("open devices"));
  }
}
