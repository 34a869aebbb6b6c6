package org.ringwire.heap.image.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Which memory may be used by address: native memory that nobody can free while this thread uses
 * it. That is global memory, memory that the collector frees, and that of an arena that only this
 * thread may close. What other threads may close, files and arrays are copied instead.
 */
public final class DirectMemory {
  private static final Class<?> GLOBAL = Arena.global().scope().getClass();
  private static final Class<?> AUTOMATIC = Arena.ofAuto().scope().getClass();
  private static final Class<?> CONFINED = confined();
  private static final Class<?> SHARED = shared();

  private DirectMemory() {}

  private static Class<?> confined() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.scope().getClass();
    }
  }

  private static Class<?> shared() {
    try (Arena arena = Arena.ofShared()) {
      return arena.scope().getClass();
    }
  }

  /** Whether memory may be used by address for as long as this thread uses it. */
  public static boolean isSteady(MemorySegment memory) {
    if (!memory.isNative() || memory.isMapped()) {
      return false;
    }
    MemorySegment.Scope scope = memory.scope();
    Class<?> kind = scope.getClass();
    if (kind == SHARED || !memory.isAccessibleBy(Thread.currentThread())) {
      return false;
    }
    return scope.isAlive() && (kind == GLOBAL || kind == AUTOMATIC || kind == CONFINED);
  }
}
