package org.ringwire.infiniband.verbs.library;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/**
 * The verbs of the data path. The header has them as inline functions that call through pointers in
 * the context of a device; so do these. None allocates, however often it is called.
 */
public final class HotVerbs {

  private static final Linker LINKER = Linker.nativeLinker();

  /** Only looks at memory, for some tens of nanoseconds: the thread need not leave Java. */
  private static final MethodHandle POLL_CQ =
      handle(
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG),
          Linker.Option.critical(false));

  private static final MethodHandle REQ_NOTIFY_CQ =
      handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

  /** Rings a doorbell, which is a system call with Soft-RoCE: the thread leaves Java. */
  private static final MethodHandle POST =
      handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  static {
    Downcall.load(() -> {
      int _ = poll(Downcall.NOTHING, 0, 0, 0);
      int _ = requestNotify(Downcall.NOTHING, 0, 0);
      int _ = post(Downcall.NOTHING, 0, 0, 0);
    });
  }

  /** For {@link #poll}. */
  public final MemorySegment pollCq;

  /** For {@link #requestNotify}. */
  public final MemorySegment reqNotifyCq;

  /** For {@link #post}, to a shared receive queue. */
  public final MemorySegment postSrqRecv;

  /** For {@link #post}, to the send queue of a queue pair. */
  public final MemorySegment postSend;

  /** For {@link #post}, to the receive queue of a queue pair. */
  public final MemorySegment postRecv;

  /** The functions of the provider of a device. */
  public HotVerbs(long context) {
    MemorySegment memory = Verbs.at(context, VerbsLayout.CONTEXT.byteSize());
    pollCq = pointer(memory, "poll_cq");
    reqNotifyCq = pointer(memory, "req_notify_cq");
    postSrqRecv = pointer(memory, "post_srq_recv");
    postSend = pointer(memory, "post_send");
    postRecv = pointer(memory, "post_recv");
  }

  private static MemorySegment pointer(MemorySegment context, String function) {
    StructLayout layout = VerbsLayout.CONTEXT;
    return MemorySegment.ofAddress(
        context.get(JAVA_LONG, VerbsLayout.offset(layout, "ops", function)));
  }

  /** Number of completions, negative if it failed. */
  public static int poll(MemorySegment function, long queue, int count, long completions) {
    try {
      return (int) POLL_CQ.invokeExact(function, queue, count, completions);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  /** Zero, or an error number. */
  public static int requestNotify(MemorySegment function, long queue, int solicitedOnly) {
    try {
      return (int) REQ_NOTIFY_CQ.invokeExact(function, queue, solicitedOnly);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  /**
   * Posts a chain of requests to a queue pair or a shared receive queue.
   *
   * @param bad where the address of the first request that was not posted goes
   * @return zero, or an error number, negative with some providers
   */
  public static int post(MemorySegment function, long queue, long requests, long bad) {
    try {
      return (int) POST.invokeExact(function, queue, requests, bad);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle handle(FunctionDescriptor shape, Linker.Option... options) {
    return LINKER.downcallHandle(shape, options);
  }
}
