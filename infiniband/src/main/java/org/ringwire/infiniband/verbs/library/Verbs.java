package org.ringwire.infiniband.verbs.library;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libibverbs} that are called once in a while; see {@link HotVerbs} for the
 * others. Pointers are {@code long}, so that few shapes of calls are made and none allocates.
 * Loaded only where the library is present: who lists the devices looks first.
 *
 * <p>All methods may be called by any thread, as far as verbs allow it for what they are given.
 */
public final class Verbs {

  private static final Linker LINKER = Linker.nativeLinker();

  /** What an extended provider has as {@code abi_compat}. */
  private static final long EXTENDED = -1;

  private static final long NAME_BYTES = 64;

  private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
  private static final long ERRNO =
      CAPTURED.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  // Shapes: what is returned, then the parameters; J is a long or a pointer, I an int, B a byte.
  private static final FunctionDescriptor J_J = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor J_JJ =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor I_J = FunctionDescriptor.of(JAVA_INT, JAVA_LONG);
  private static final FunctionDescriptor I_JJ =
      FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor I_JJI =
      FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final FunctionDescriptor I_JBIJ =
      FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_INT, JAVA_LONG);

  private static final MethodHandle GET_DEVICE_LIST = bind("ibv_get_device_list", J_J);
  private static final MethodHandle FREE_DEVICE_LIST =
      bind("ibv_free_device_list", FunctionDescriptor.ofVoid(JAVA_LONG));
  private static final MethodHandle GET_DEVICE_NAME = bind("ibv_get_device_name", J_J);
  private static final MethodHandle OPEN_DEVICE = bind("ibv_open_device", J_J);
  private static final MethodHandle QUERY_DEVICE = bind("ibv_query_device", I_JJ);
  private static final MethodHandle QUERY_PORT =
      bind("ibv_query_port", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG));

  @SuppressWarnings("restricted")
  private static final MethodHandle QUERY_PORT_EXTENDED =
      LINKER.downcallHandle(
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG),
          Linker.Option.captureCallState("errno"));

  private static final MethodHandle QUERY_GID = bind("ibv_query_gid", I_JBIJ);
  private static final MethodHandle QUERY_PKEY = bind("ibv_query_pkey", I_JBIJ);
  private static final MethodHandle GET_ASYNC_EVENT = bind("ibv_get_async_event", I_JJ);
  private static final MethodHandle ALLOC_PD = bind("ibv_alloc_pd", J_J);
  private static final MethodHandle REG_MR =
      bind(
          "ibv_reg_mr",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle CREATE_COMP_CHANNEL = bind("ibv_create_comp_channel", J_J);
  private static final MethodHandle CREATE_CQ =
      bind(
          "ibv_create_cq",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle CREATE_SRQ = bind("ibv_create_srq", J_JJ);
  private static final MethodHandle MODIFY_SRQ = bind("ibv_modify_srq", I_JJI);
  private static final MethodHandle CREATE_QP = bind("ibv_create_qp", J_JJ);
  private static final MethodHandle MODIFY_QP = bind("ibv_modify_qp", I_JJI);
  private static final MemorySegment STOP_QP = Library.find("ibv_modify_qp");

  @SuppressWarnings("restricted")
  private static final MethodHandle STOP = LINKER.downcallHandle(I_JJI);

  private static final MethodHandle QUERY_QP =
      bind(
          "ibv_query_qp",
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
  private static final MethodHandle CREATE_AH = bind("ibv_create_ah", J_JJ);

  static {
    Downcall.load(() -> {
      int _ = stop(Downcall.NOTHING, 0, 0, 0);
    });
  }

  /**
   * Ends the life of an object, without heap: there may be none when a link ends. So nothing is
   * captured; the functions return 0 or the error number themselves.
   */
  public enum Release {
    /** Of a context. */
    CLOSE_DEVICE("ibv_close_device"),
    /** Of a protection domain. */
    DEALLOC_PD("ibv_dealloc_pd"),
    /** Of registered memory. */
    DEREG_MR("ibv_dereg_mr"),
    /** Of a channel of completions. */
    DESTROY_COMP_CHANNEL("ibv_destroy_comp_channel"),
    /** Of a completion queue. */
    DESTROY_CQ("ibv_destroy_cq"),
    /** Of a shared receive queue. */
    DESTROY_SRQ("ibv_destroy_srq"),
    /** Of a queue pair. */
    DESTROY_QP("ibv_destroy_qp"),
    /** Of an address handle. */
    DESTROY_AH("ibv_destroy_ah");

    @SuppressWarnings("restricted")
    private static final MethodHandle END = LINKER.downcallHandle(I_J);

    static {
      Downcall.load(() -> {
        int _ = end(Downcall.NOTHING, 0);
      });
    }

    private final String verb;

    @SuppressWarnings("ImmutableEnumChecker") // an address, of no memory
    private final MemorySegment function;

    Release(String verb) {
      this.verb = verb;
      this.function = Library.find(verb);
    }

    /**
     * Ends it.
     *
     * @throws VerbsException if the library refuses
     */
    public void run(long object) {
      int error = end(function, object);
      if (error != 0) {
        throw failure(verb, Math.max(0, error), error > 0 ? "" : "result=" + error);
      }
    }

    private static int end(MemorySegment function, long object) {
      try {
        return (int) END.invokeExact(function, object);
      } catch (Throwable e) {
        throw Downcall.threw(e);
      }
    }
  }

  /** A call that fills the segment with the error number that it leaves behind. */
  @FunctionalInterface
  private interface Call {
    long run(MemorySegment errno) throws Throwable;
  }

  private Verbs() {}

  /** Looks for all functions. */
  public static void load() {
    Release[] _ = Release.values();
  }

  /** Fills a count, returns an array of pointers to free with {@link #freeDeviceList}. */
  public static long deviceList(MemorySegment count) {
    return pointer(
        "ibv_get_device_list",
        "",
        errno -> (long) GET_DEVICE_LIST.invokeExact(errno, count.address()));
  }

  /** Ends the life of an array of pointers. */
  public static void freeDeviceList(long list) {
    call(errno -> {
      FREE_DEVICE_LIST.invokeExact(errno, list);
      return 0;
    });
  }

  /** The name of one of a list. */
  public static String deviceName(long device) {
    long name =
        pointer(
            "ibv_get_device_name", "", errno -> (long) GET_DEVICE_NAME.invokeExact(errno, device));
    return at(name, NAME_BYTES).getString(0);
  }

  /** Returns a context. */
  public static long openDevice(long device, String name) {
    return pointer(
        "ibv_open_device",
        "device=" + name,
        errno -> (long) OPEN_DEVICE.invokeExact(errno, device));
  }

  /** Fills an {@code ibv_device_attr}. */
  public static void queryDevice(long context, MemorySegment attributes) {
    check(
        "ibv_query_device",
        "",
        errno -> (int) QUERY_DEVICE.invokeExact(errno, context, attributes.address()));
  }

  /** As the inline function of the header: the exported one knows only the older members. */
  public static void queryPort(long context, int port, MemorySegment attributes) {
    long address = attributes.address();
    MemorySegment extended = queryPortOf(context);
    check(
        "ibv_query_port",
        "port=" + port,
        errno ->
            extended.equals(MemorySegment.NULL)
                ? (int) QUERY_PORT.invokeExact(errno, context, (byte) port, address)
                : (int)
                    QUERY_PORT_EXTENDED.invokeExact(
                        extended, errno, context, (byte) port, address, attributes.byteSize()));
  }

  private static MemorySegment queryPortOf(long context) {
    long compat =
        at(context, VerbsLayout.CONTEXT.byteSize())
            .get(JAVA_LONG, VerbsLayout.offset(VerbsLayout.CONTEXT, "abi_compat"));
    if (compat != EXTENDED) {
      return MemorySegment.NULL;
    }
    long distance = VerbsLayout.QUERY_PORT_BEFORE_CONTEXT;
    long size = at(context - VerbsLayout.SIZE_BEFORE_CONTEXT, Long.BYTES).get(JAVA_LONG, 0);
    return size < distance + VerbsLayout.CONTEXT.byteSize()
        ? MemorySegment.NULL
        : MemorySegment.ofAddress(at(context - distance, Long.BYTES).get(JAVA_LONG, 0));
  }

  /** Fills an {@code ibv_gid}. */
  public static void queryGid(long context, int port, int index, MemorySegment gid) {
    check(
        "ibv_query_gid",
        "port=" + port + ", index=" + index,
        errno -> (int) QUERY_GID.invokeExact(errno, context, (byte) port, index, gid.address()));
  }

  /** Fills two bytes. */
  public static void queryPartitionKey(long context, int port, int index, MemorySegment key) {
    check(
        "ibv_query_pkey",
        "port=" + port + ", index=" + index,
        errno -> (int) QUERY_PKEY.invokeExact(errno, context, (byte) port, index, key.address()));
  }

  /** Memory for {@link #takeAsyncEvent}. */
  public static MemorySegment newErrorNumber(Arena arena) {
    return arena.allocate(CAPTURED);
  }

  /** False if there is none. Needs no heap once there is one: it must be acknowledged then. */
  public static boolean takeAsyncEvent(long context, MemorySegment event, MemorySegment captured) {
    int result;
    try {
      result = (int) GET_ASYNC_EVENT.invokeExact(captured, context, event.address());
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
    if (result == 0) {
      return true;
    }
    int errno = captured.get(JAVA_INT, ERRNO);
    if (errno == Errno.EAGAIN) {
      return false;
    }
    throw failure("ibv_get_async_event", errno, "");
  }

  /** Returns a protection domain. */
  public static long allocateDomain(long context) {
    return pointer("ibv_alloc_pd", "", errno -> (long) ALLOC_PD.invokeExact(errno, context));
  }

  /** Returns registered memory; the facts are told if that fails, as in what follows. */
  public static long register(long domain, long address, long length, int access, String facts) {
    return pointer(
        "ibv_reg_mr",
        facts,
        errno -> (long) REG_MR.invokeExact(errno, domain, address, length, access));
  }

  /** Returns a channel of completions. */
  public static long createChannel(long context) {
    return pointer(
        "ibv_create_comp_channel",
        "",
        errno -> (long) CREATE_COMP_CHANNEL.invokeExact(errno, context));
  }

  /** Returns a completion queue; the channel may be 0. */
  public static long createCompletionQueue(long context, int entries, long channel) {
    return pointer(
        "ibv_create_cq",
        "entries=" + entries,
        errno -> (long) CREATE_CQ.invokeExact(errno, context, entries, 0L, channel, 0));
  }

  /** Returns a shared receive queue, of an {@code ibv_srq_init_attr}. */
  public static long createSharedReceiveQueue(long domain, MemorySegment attributes, String facts) {
    return pointer(
        "ibv_create_srq",
        facts,
        errno -> (long) CREATE_SRQ.invokeExact(errno, domain, attributes.address()));
  }

  /** Changes what the mask says of an {@code ibv_srq_attr}. */
  public static void modifySharedReceiveQueue(long queue, MemorySegment attributes, int mask) {
    check(
        "ibv_modify_srq",
        "",
        errno -> (int) MODIFY_SRQ.invokeExact(errno, queue, attributes.address(), mask));
  }

  /** Returns a queue pair, of an {@code ibv_qp_init_attr}. */
  public static long createQueuePair(long domain, MemorySegment attributes, String facts) {
    return pointer(
        "ibv_create_qp",
        facts,
        errno -> (long) CREATE_QP.invokeExact(errno, domain, attributes.address()));
  }

  /** Changes what the mask says of an {@code ibv_qp_attr}. */
  public static void modifyQueuePair(long pair, MemorySegment attributes, int mask, String facts) {
    check(
        "ibv_modify_qp",
        facts,
        errno -> (int) MODIFY_QP.invokeExact(errno, pair, attributes.address(), mask));
  }

  /**
   * The change to the error state, without heap: there may be none when a queue pair must stop.
   *
   * @param attributes address of an {@code ibv_qp_attr} that says so
   * @param number of the queue pair
   */
  public static void stopQueuePair(long pair, long attributes, int mask, int number) {
    int error = stop(STOP_QP, pair, attributes, mask);
    if (error != 0) {
      throw failure("ibv_modify_qp", Math.max(0, error), "queuePair=" + number);
    }
  }

  private static int stop(MemorySegment function, long pair, long attributes, int mask) {
    try {
      return (int) STOP.invokeExact(function, pair, attributes, mask);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  /** Fills what the mask says of an {@code ibv_qp_attr}, and an {@code ibv_qp_init_attr}. */
  public static void queryQueuePair(
      long pair, MemorySegment attributes, int mask, MemorySegment init) {
    check(
        "ibv_query_qp",
        "",
        errno ->
            (int) QUERY_QP.invokeExact(errno, pair, attributes.address(), mask, init.address()));
  }

  /** Returns an address handle, of an {@code ibv_ah_attr}. */
  public static long createAddressHandle(long domain, MemorySegment attributes, String facts) {
    return pointer(
        "ibv_create_ah",
        facts,
        errno -> (long) CREATE_AH.invokeExact(errno, domain, attributes.address()));
  }

  /** Memory of the library. */
  @SuppressWarnings("restricted")
  public static MemorySegment at(long address, long length) {
    return MemorySegment.ofAddress(address).reinterpret(length);
  }

  private static MethodHandle bind(String name, FunctionDescriptor shape) {
    return Library.bind(name, shape, Linker.Option.captureCallState("errno"));
  }

  private static long pointer(String verb, String facts, Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = arena.allocate(CAPTURED);
      long result = run(call, captured);
      if (result == 0) {
        throw failure(verb, captured.get(JAVA_INT, ERRNO), facts);
      }
      return result;
    }
  }

  private static void check(String verb, String facts, Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = arena.allocate(CAPTURED);
      int result = (int) run(call, captured);
      if (result != 0) {
        // Most functions return the error number; some return -1 and leave it in errno.
        throw failure(verb, result > 0 ? result : captured.get(JAVA_INT, ERRNO), facts);
      }
    }
  }

  private static void call(Call call) {
    try (Arena arena = Arena.ofConfined()) {
      run(call, arena.allocate(CAPTURED));
    }
  }

  private static long run(Call call, MemorySegment captured) {
    try {
      return call.run(captured);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  private static VerbsException failure(String verb, int errno, String facts) {
    String hint = Hints.of(verb, errno);
    String separator = facts.isEmpty() || hint.isEmpty() ? "" : ": ";
    return new VerbsException(verb, errno, facts + separator + hint);
  }
}
