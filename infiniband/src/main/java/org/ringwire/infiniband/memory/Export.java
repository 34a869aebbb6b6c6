package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryDescriptor;
import org.ringwire.infiniband.verbs.MemoryRegion;

/** Memory that the device lets peers use. Any thread. */
final class Export implements ExportedMemory {

  private final Exports owner;
  private final MemorySegment memory;
  private final MemoryRegion region;
  private final MemoryDescriptor descriptor;

  Export(Exports owner, MemorySegment memory, MemoryRegion region, MemoryDescriptor descriptor) {
    this.owner = owner;
    this.memory = memory;
    this.region = region;
    this.descriptor = descriptor;
  }

  @Override
  public MemoryDescriptor descriptor() {
    return descriptor;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public void close() {
    region.close();
    owner.revoked(this);
  }
}
