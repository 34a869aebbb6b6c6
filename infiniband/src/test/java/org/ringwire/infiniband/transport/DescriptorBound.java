package org.ringwire.infiniband.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** How many file descriptors this process may have; lifted at the end. */
final class DescriptorBound implements AutoCloseable {

  private static final int RLIMIT_NOFILE = 7;
  private static final MethodHandle GET = bind("getrlimit");
  private static final MethodHandle SET = bind("setrlimit");

  private final long soft;
  private final long hard;

  DescriptorBound() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment limit = arena.allocate(ValueLayout.JAVA_LONG, 2);
      call(GET, limit);
      soft = limit.getAtIndex(ValueLayout.JAVA_LONG, 0);
      hard = limit.getAtIndex(ValueLayout.JAVA_LONG, 1);
    }
  }

  /** From now on the number of a new one is below this. */
  void set(long limit) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG, 2);
      memory.setAtIndex(ValueLayout.JAVA_LONG, 0, limit);
      memory.setAtIndex(ValueLayout.JAVA_LONG, 1, hard);
      call(SET, memory);
    }
  }

  /** As it was. */
  void lift() {
    set(soft);
  }

  @Override
  public void close() {
    lift();
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(String name) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
  }

  private static void call(MethodHandle function, MemorySegment limit) {
    int result;
    try {
      result = (int) function.invokeExact(RLIMIT_NOFILE, limit.address());
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (result != 0) {
      throw new AssertionError("result=" + result);
    }
  }
}
