package org.ringwire.infiniband.verbs.library;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The verbs of events that must not need heap: of completions, after each wait, and of devices. */
public final class EventVerbs {

  private static final Linker LINKER = Linker.nativeLinker();

  private static final MethodHandle GET =
      handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle ACKNOWLEDGE =
      handle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
  private static final MethodHandle ACKNOWLEDGE_ASYNC =
      handle(FunctionDescriptor.ofVoid(JAVA_LONG));

  private static final MemorySegment GET_CQ_EVENT = Library.find("ibv_get_cq_event");
  private static final MemorySegment ACK_CQ_EVENTS = Library.find("ibv_ack_cq_events");
  private static final MemorySegment ACK_ASYNC_EVENT = Library.find("ibv_ack_async_event");

  static {
    Downcall.load(() -> {
      int _ = getEvent(Downcall.NOTHING, 0, 0, 0);
      acknowledge(Downcall.NOTHING, 0, 0);
      acknowledgeAsync(Downcall.NOTHING, 0);
    });
  }

  private EventVerbs() {}

  /** Looks for all functions. */
  public static void load() {}

  /** Zero, or there is none; to ask for the error number would allocate. */
  public static int getEvent(long channel, long queue, long context) {
    return getEvent(GET_CQ_EVENT, channel, queue, context);
  }

  /** An event of a device was taken: what it is of may end from now on. */
  public static void acknowledgeAsync(long event) {
    acknowledgeAsync(ACK_ASYNC_EVENT, event);
  }

  /** Events of a completion queue were taken: it may end from now on. */
  public static void acknowledge(long queue, int events) {
    acknowledge(ACK_CQ_EVENTS, queue, events);
  }

  private static int getEvent(MemorySegment function, long channel, long queue, long context) {
    try {
      return (int) GET.invokeExact(function, channel, queue, context);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  private static void acknowledge(MemorySegment function, long queue, int events) {
    try {
      ACKNOWLEDGE.invokeExact(function, queue, events);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  private static void acknowledgeAsync(MemorySegment function, long event) {
    try {
      ACKNOWLEDGE_ASYNC.invokeExact(function, event);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle handle(FunctionDescriptor shape) {
    return LINKER.downcallHandle(shape);
  }
}
