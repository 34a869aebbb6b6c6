package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryDescriptor;
import org.ringwire.infiniband.MemoryListener;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.infiniband.verbs.types.Access;

/**
 * The memory of a node that others may use, each until it is revoked, and how much that may be. Any
 * thread.
 *
 * <p>Memory is exported under the lock, with a look whether the node still serves. So who first
 * stops it from serving, and then asks for {@link #all}, misses none.
 */
final class Exports {

  private final NodeMemory owner;
  private final int nodeId;
  private final MemoryDevice device;
  private final long mostBytes;
  private final Set<Export> exports = new HashSet<>(); // guarded by this, as the next
  private long exportedBytes;

  /**
   * Nothing yet.
   *
   * @param owner is asked whether it serves, with the lock
   * @param mostBytes of all that is exported, together
   */
  Exports(NodeMemory owner, int nodeId, MemoryDevice device, long mostBytes) {
    this.owner = owner;
    this.nodeId = nodeId;
    this.device = device;
    this.mostBytes = mostBytes;
  }

  /** As {@link NodeMemory#export(MemorySegment, MemoryListener, MemoryPermission...)}. */
  ExportedMemory export(
      MemorySegment memory, MemoryListener listener, MemoryPermission... permissions) {
    int number = device.notices().add(listener);
    boolean made = false;
    try {
      ExportedMemory exported = export(memory, number, permissions);
      made = true;
      return exported;
    } finally {
      if (!made) {
        device.notices().remove(number);
      }
    }
  }

  /**
   * The same.
   *
   * @param listener its number, or {@link Notices#NONE}
   */
  ExportedMemory export(MemorySegment memory, int listener, MemoryPermission... permissions) {
    Set<MemoryPermission> permitted = Set.copyOf(List.of(permissions));
    check(memory, permitted);
    int access = memory.isReadOnly() ? 0 : Access.LOCAL_WRITE;
    int bits = 0;
    for (MemoryPermission permission : permitted) {
      access |= access(permission);
      bits |= permission.bit();
    }
    synchronized (this) {
      owner.checkServed();
      if (memory.byteSize() > mostBytes - exportedBytes) {
        throw new MessagingException(
            "too much memory is exported: length="
                + memory.byteSize()
                + " exportedBytes="
                + exportedBytes
                + " most="
                + mostBytes);
      }
      MemoryRegion region = device.register(memory, access);
      boolean made = false;
      try {
        Export export = new Export(this, memory, region, describe(memory, region, bits, listener));
        exports.add(export);
        exportedBytes += memory.byteSize();
        made = true;
        return export;
      } finally {
        if (!made) { // the caller knows of nothing that peers may use
          region.close();
        }
      }
    }
  }

  private MemoryDescriptor describe(
      MemorySegment memory, MemoryRegion region, int permissions, int listener) {
    return new MemoryDescriptor(
        nodeId,
        owner.life(),
        memory.address(),
        memory.byteSize(),
        region.remoteKey(),
        permissions,
        listener);
  }

  private void check(MemorySegment memory, Set<MemoryPermission> permitted) {
    if (!memory.isNative() || memory.byteSize() == 0) {
      throw new IllegalArgumentException(
          "only native memory can be exported, and not none: length=" + memory.byteSize());
    }
    if (permitted.isEmpty()) {
      throw new IllegalArgumentException("memory that nobody may use for anything");
    }
    if (memory.isReadOnly() && !permitted.equals(Set.of(MemoryPermission.READ))) {
      throw new IllegalArgumentException("memory is read-only: permissions=" + permitted);
    }
    if (permitted.contains(MemoryPermission.ATOMIC) && !device.hasAtomics()) {
      throw new IllegalArgumentException("the device has no atomics");
    }
  }

  private static int access(MemoryPermission permission) {
    return switch (permission) {
      case READ -> Access.REMOTE_READ;
      case WRITE -> Access.REMOTE_WRITE;
      case ATOMIC -> Access.REMOTE_ATOMIC;
    };
  }

  /** The device lets nobody use it any more; a second call does nothing. */
  void revoked(Export export) {
    synchronized (this) {
      if (!exports.remove(export)) {
        return; // the number of its listener may be another one's by now
      }
      exportedBytes -= export.memory().byteSize();
    }
    device.notices().remove(export.descriptor().listener());
  }

  /** What is exported now. */
  synchronized List<Export> all() {
    return List.copyOf(exports);
  }
}
