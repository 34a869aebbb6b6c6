package org.ringwire.transport.shm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Holds a lease on a file: whoever opens it waits until the lease is given back, which the system
 * asks for, or until the system takes it, after {@code /proc/sys/fs/lease-break-time} seconds.
 */
final class LeaseProgram {

  static final String LEASED = "leased";
  private static final Linker LINKER = Linker.nativeLinker();
  private static final int READ_AND_WRITE = 2;
  private static final int SET_SIGNAL = 10;
  private static final int SIGNAL = 28; // of a window, which does nothing; SIGIO would end this
  private static final int SET_LEASE = 1024;
  private static final int OF_WRITING = 1;

  private LeaseProgram() {}

  public static void main(String[] args) throws Throwable {
    int file = open(args[0]);
    control(file, SET_SIGNAL, SIGNAL);
    control(file, SET_LEASE, OF_WRITING);
    System.out.println(LEASED);
    while (System.in.read() >= 0) {
      // until whoever has started this lets it go
    }
  }

  @SuppressWarnings("restricted")
  private static int open(String file) throws Throwable {
    MethodHandle open =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(file);
      return good((int) open.invokeExact(name, READ_AND_WRITE), "open");
    }
  }

  @SuppressWarnings("restricted")
  private static void control(int file, int command, int argument) throws Throwable {
    MethodHandle fcntl =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("fcntl"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    int _ = good((int) fcntl.invokeExact(file, command, argument), "fcntl");
  }

  private static int good(int result, String what) throws IOException {
    if (result < 0) {
      throw new IOException(what + " has failed");
    }
    return result;
  }
}
