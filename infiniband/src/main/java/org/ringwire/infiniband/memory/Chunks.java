package org.ringwire.infiniband.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.ring.NativeMemory;
import org.ringwire.transport.support.LostMemory;

/**
 * Registered memory for what is copied: pieces of operations, and what atomics bring. Each request
 * has the chunk that its number says, which is its own for as long as it is under way: requests end
 * in order, and there are as many chunks as may be under way. So none is taken, or can be lost.
 * Guarded by the lock of the {@link Initiator}.
 */
final class Chunks {

  /** Bytes of a chunk; native memory of up to so many is copied. */
  static final int LENGTH = 4096;

  private final MemorySegment memory;
  private final MemoryRegion region;
  private final int count;

  /**
   * So many chunks.
   *
   * @param region closed by the caller
   */
  Chunks(MemorySegment memory, MemoryRegion region) {
    this.memory = memory;
    this.region = region;
    count = (int) (memory.byteSize() / LENGTH);
  }

  static MemorySegment allocate(NativeMemory.Scope scope, int chunks) {
    return scope.allocate((long) chunks * LENGTH, LENGTH);
  }

  /** The one of a request. */
  int of(long number) {
    return (int) (number % count);
  }

  long address(int chunk) {
    return memory.address() + (long) chunk * LENGTH;
  }

  int key() {
    return region.localKey();
  }

  void copyIn(int chunk, MemorySegment from, long offset, int length) {
    copy(from, offset, memory, (long) chunk * LENGTH, length);
  }

  void copyOut(int chunk, MemorySegment to, long offset, int length) {
    copy(memory, (long) chunk * LENGTH, to, offset, length);
  }

  private static void copy(MemorySegment from, long offset, MemorySegment to, long at, int length) {
    try {
      MemorySegment.copy(from, offset, to, at, length);
      LostMemory.check(); // compiled code is told late, and elsewhere
    } catch (InternalError e) { // so the JVM says that a mapped file has become shorter
      throw new IllegalStateException("memory of an operation is gone: " + e.getMessage(), e);
    }
  }

  long number(int chunk) {
    return memory.get(JAVA_LONG, (long) chunk * LENGTH);
  }
}
