package org.ringwire.infiniband.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.ring.NativeMemory;

/**
 * Registered memory for what is copied: pieces of operations, and what atomics bring. Guarded by
 * the lock of the {@link Initiator}.
 */
final class Chunks {

  /** Bytes of a chunk; native memory of up to so many is copied. */
  static final int LENGTH = 4096;

  private final MemorySegment memory;
  private final MemoryRegion region;
  private final int[] free;
  private int count;

  /**
   * So many chunks.
   *
   * @param region closed by the caller
   */
  Chunks(MemorySegment memory, MemoryRegion region) {
    this.memory = memory;
    this.region = region;
    free = new int[(int) (memory.byteSize() / LENGTH)];
    for (int chunk = free.length - 1; chunk >= 0; chunk--) {
      free[count++] = chunk;
    }
  }

  static MemorySegment allocate(NativeMemory.Scope scope, int chunks) {
    return scope.allocate((long) chunks * LENGTH, LENGTH);
  }

  boolean isEmpty() {
    return count == 0;
  }

  int take() {
    return free[--count];
  }

  void give(int chunk) {
    free[count++] = chunk;
  }

  long address(int chunk) {
    return memory.address() + (long) chunk * LENGTH;
  }

  int key() {
    return region.localKey();
  }

  void copyIn(int chunk, MemorySegment from, long offset, int length) {
    MemorySegment.copy(from, offset, memory, (long) chunk * LENGTH, length);
  }

  void copyOut(int chunk, MemorySegment to, long offset, int length) {
    MemorySegment.copy(memory, (long) chunk * LENGTH, to, offset, length);
  }

  long number(int chunk) {
    return memory.get(JAVA_LONG, (long) chunk * LENGTH);
  }
}
