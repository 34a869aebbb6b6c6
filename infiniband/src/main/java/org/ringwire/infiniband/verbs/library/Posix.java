package org.ringwire.infiniband.verbs.library;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The few functions of the C library that events need. Any thread may call them. */
public final class Posix {

  /** Something can be read, of {@code poll}. */
  public static final short POLLIN = 1;

  /** Nothing will come, of {@code poll}: POLLERR, POLLHUP, POLLNVAL. */
  public static final short POLL_FAILURES = 0x38;

  private static final int F_GETFL = 3;
  private static final int F_SETFL = 4;
  private static final int O_NONBLOCK = 0x800;
  private static final int EFD_CLOEXEC = 0x80000;

  /** What is done with it fails. */
  private static final int NO_DESCRIPTOR = -1;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
  private static final long ERRNO =
      Linker.Option.captureStateLayout().byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  private static final FunctionDescriptor POLL_SHAPE =
      FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final FunctionDescriptor TRANSFER_SHAPE =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);

  // Calls that capture the error number allocate; those that are made again and again do not.
  private static final MethodHandle POLL = bind("poll", POLL_SHAPE);
  private static final MethodHandle POLL_CAPTURING = bind("poll", POLL_SHAPE, CAPTURE);
  private static final MethodHandle READ = bind("read", TRANSFER_SHAPE);
  private static final MethodHandle WRITE = bind("write", TRANSFER_SHAPE);
  private static final MethodHandle FCNTL =
      bind(
          "fcntl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(2),
          CAPTURE);
  private static final MethodHandle EVENTFD =
      bind("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), CAPTURE);
  private static final MethodHandle CLOSE =
      bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  static {
    Downcall.load(() -> {
      int _ = poll(0, 0, 0);
      long _ = read(NO_DESCRIPTOR, 0, 0);
      long _ = write(NO_DESCRIPTOR, 0, 0);
      close(NO_DESCRIPTOR);
    });
  }

  private Posix() {}

  /** Memory for the error number of a call. */
  public static MemorySegment allocateErrno(Arena arena) {
    return arena.allocate(Linker.Option.captureStateLayout());
  }

  /** The error number of a call. */
  public static int errno(MemorySegment captured) {
    return captured.get(JAVA_INT, ERRNO);
  }

  /** Reads of the descriptor return at once from now on. */
  public static void setNonBlocking(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = allocateErrno(arena);
      int flags = (int) FCNTL.invokeExact(captured, descriptor, F_GETFL, 0);
      check("fcntl", flags, captured);
      int result = (int) FCNTL.invokeExact(captured, descriptor, F_SETFL, flags | O_NONBLOCK);
      check("fcntl", result, captured);
    } catch (VerbsException e) {
      throw e;
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  /** A descriptor that counts; not blocking. */
  public static int eventDescriptor() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = allocateErrno(arena);
      int descriptor = (int) EVENTFD.invokeExact(captured, 0, EFD_CLOEXEC | O_NONBLOCK);
      check("eventfd", descriptor, captured);
      return descriptor;
    } catch (VerbsException e) {
      throw e;
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  /** Waits; number of descriptors that are ready, negative if it failed. */
  public static int poll(long descriptors, int count, int timeoutMs) {
    try {
      return (int) POLL.invokeExact(descriptors, (long) count, timeoutMs);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  /** Why it fails; 0 if it does not. */
  public static int pollError(long descriptors, int count) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = allocateErrno(arena);
      int result = (int) POLL_CAPTURING.invokeExact(captured, descriptors, (long) count, 0);
      return result < 0 ? errno(captured) : 0;
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  /** Reads bytes; negative if it failed. */
  public static long read(int descriptor, long address, long length) {
    try {
      return (long) READ.invokeExact(descriptor, address, length);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  /** Writes bytes; negative if it failed. */
  public static long write(int descriptor, long address, long length) {
    try {
      return (long) WRITE.invokeExact(descriptor, address, length);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  /** Closes a descriptor, if it is one. */
  public static void close(int descriptor) {
    try {
      int _ = (int) CLOSE.invokeExact(descriptor);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  private static void check(String function, int result, MemorySegment captured) {
    if (result < 0) {
      throw new VerbsException(function, errno(captured), "");
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(
      String name, FunctionDescriptor shape, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape, options);
  }
}
