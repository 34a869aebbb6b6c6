package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import org.ringwire.infiniband.verbs.library.Downcall;
import org.ringwire.infiniband.verbs.library.Library;

/** The verbs of completion events, which a thread calls each time it has waited. */
final class EventVerbs {

  private static final MethodHandle GET_CQ_EVENT =
      Library.bind(
          "ibv_get_cq_event", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle ACK_CQ_EVENTS =
      Library.bind("ibv_ack_cq_events", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));

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

  static void acknowledge(long queue, int events) {
    try {
      ACK_CQ_EVENTS.invokeExact(queue, events);
    } catch (Throwable e) {
      throw Downcall.threw(e);
    }
  }
}
