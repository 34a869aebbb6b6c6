package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.verbs.library.Verbs;
import org.ringwire.infiniband.verbs.library.VerbsLayout;

/**
 * Memory that a device may use. Closing it takes the device's right away and comes before the end
 * of the memory, and after the last completion of a request that uses it.
 */
public final class MemoryRegion extends VerbsObject {

  private final ProtectionDomain domain;
  private final MemorySegment memory;
  private final long address;
  private final long length;
  private final int localKey;
  private final int remoteKey;

  MemoryRegion(ProtectionDomain domain, long handle, MemorySegment memory) {
    super(domain.device(), Verbs.Release.DEREG_MR, handle);
    this.domain = domain;
    this.memory = memory;
    address = memory.address();
    length = memory.byteSize();
    MemorySegment region = Verbs.at(handle, VerbsLayout.MR.byteSize());
    localKey = region.get(JAVA_INT, VerbsLayout.offset(VerbsLayout.MR, "lkey"));
    remoteKey = region.get(JAVA_INT, VerbsLayout.offset(VerbsLayout.MR, "rkey"));
  }

  /** The memory, as it was registered. */
  public MemorySegment memory() {
    return memory;
  }

  /** Where it begins. */
  public long address() {
    return address;
  }

  /** Its bytes. */
  public long length() {
    return length;
  }

  /** What requests of this node name it by. */
  public int localKey() {
    return localKey;
  }

  /** What requests of peers name it by. */
  public int remoteKey() {
    return remoteKey;
  }

  /** Whether so many bytes from an address on lie in it. */
  boolean covers(long from, long bytes) {
    return from >= address && bytes <= length && from - address <= length - bytes;
  }

  @Override
  void begun() {
    domain.count(length);
  }

  @Override
  void released() {
    domain.count(-length);
  }

  @Override
  public String toString() {
    return "memory region of " + length + " bytes";
  }
}
