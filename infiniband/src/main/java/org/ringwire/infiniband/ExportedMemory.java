package org.ringwire.infiniband;

import java.lang.foreign.MemorySegment;

/**
 * Memory of this node that peers may use, until it is closed. Its owner may go on reading and
 * writing it; what peers do meanwhile is seen in no particular order, and a processor's access is
 * atomic with respect to peers' atomics only if the device says so.
 */
public interface ExportedMemory extends AutoCloseable {

  /** What a peer needs to use it: to be sent to those that shall. */
  MemoryDescriptor descriptor();

  /** The memory. */
  MemorySegment memory();

  /**
   * Revokes it: when this returns the device lets nobody in any more, and the memory may be freed.
   * What a peer does later, or is doing just now, fails with {@link
   * RemoteMemoryException.Reason#REFUSED}. A {@link MemoryListener} that is running just now is not
   * waited for: if it looks at the memory, let it say when it is done before that is freed. A
   * second call does nothing.
   */
  @Override
  void close();
}
