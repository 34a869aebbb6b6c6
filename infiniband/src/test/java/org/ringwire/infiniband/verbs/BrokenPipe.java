package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.verbs.library.Posix;

/** A pipe that nobody reads from. */
final class BrokenPipe {

  private BrokenPipe() {}

  /** The descriptor that would be written to; the caller closes it. */
  @SuppressWarnings("restricted")
  static int writeEnd() throws Throwable {
    Linker linker = Linker.nativeLinker();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ends = arena.allocate(JAVA_INT, 2);
      int result =
          (int)
              linker
                  .downcallHandle(
                      linker.defaultLookup().findOrThrow("pipe"),
                      FunctionDescriptor.of(JAVA_INT, ADDRESS))
                  .invokeExact(ends);
      assertThat(result).isZero();
      Posix.close(ends.getAtIndex(JAVA_INT, 0));
      return ends.getAtIndex(JAVA_INT, 1);
    }
  }
}
