package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import org.ringwire.infiniband.verbs.library.Downcall;
import org.ringwire.infiniband.verbs.library.Library;

/** The verbs of events that must not need heap: of completions, after each wait, and of devices. */
final class EventVerbs {

  private static final MethodHandle GET_CQ_EVENT =
      Library.bind(
          "ibv_get_cq_event", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle ACK_CQ_EVENTS =
      Library.bind("ibv_ack_cq_events", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));

  private static final MethodHandle ACK_ASYNC_EVENT =
      Library.bind("ibv_ack_async_event", FunctionDescriptor.ofVoid(JAVA_LONG));

  private EventVerbs() {}

  /** Looks for all functions. */
  static void load() {}

  /** Zero, or there is none; to ask for the error number would allocate. */
  static int getEvent(long channel, long queue, long context) {
    try {
      return (int) GET_CQ_EVENT.invokeExact(channel, queue, context);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  /** An event of a device was taken: what it is of may end from now on. */
  static void acknowledgeAsync(long event) {
    try {
      ACK_ASYNC_EVENT.invokeExact(event);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }

  static void acknowledge(long queue, int events) {
    try {
      ACK_CQ_EVENTS.invokeExact(queue, events);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }
}
