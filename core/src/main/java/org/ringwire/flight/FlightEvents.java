package org.ringwire.flight;

import jdk.jfr.FlightRecorder;
import org.ringwire.LossReport;

/**
 * What is told to the Flight Recorder. All of it is rare; before anything has recorded, an event
 * costs a look at a field, and while nothing records an allocation and a look at a flag. Any
 * thread; nothing is thrown.
 *
 * <p>The module {@code jdk.jfr} is optional: where it is absent nothing of it is ever loaded, and
 * nothing is told.
 */
public interface FlightEvents {

  /** The one instance. */
  static FlightEvents get() {
    return Holder.EVENTS;
  }

  /** Whether the recorder is in use and has not been made to know what is told. */
  default boolean isUnknown() {
    return false;
  }

  /**
   * Makes the recorder know what is told, if it is in use; till then nothing is told. Takes long,
   * and needs memory and stack: for the thread that opens a node, or that does its chores.
   */
  default void makeKnown() {}

  /** A node can be sent to. */
  void connected(int nodeId, int peerId);

  /**
   * A connection that was open has ended: lost, or dismissed, or closed, which is told only if not
   * all of its messages are known to be processed.
   */
  void ended(int nodeId, LossReport report);

  /** A sender begins to wait for room. */
  Stall stall();

  /** A handler took too long. */
  void slowHandler(int nodeId, int peerId, String messageType, long tookNs);

  /** A peer broke a rule, or is not who it should be: all that {@code framesRejected} counts. */
  void rejected(int nodeId, int peerId, String rule, String text);

  /** A sender that waits; its thread only. */
  @FunctionalInterface
  interface Stall {
    /** The wait is over. */
    void end(int nodeId, int peerId);
  }

  /** Finds out once whether there is a recorder. */
  final class Holder {
    private static final FlightEvents EVENTS =
        isPresent()
            ? new GuardedEvents(FlightRecorder::isInitialized, RecordedEvents::new)
            : new NoEvents();

    private Holder() {}

    private static boolean isPresent() {
      try {
        Class<?> _ = Class.forName("jdk.jfr.Event", false, FlightEvents.class.getClassLoader());
        return true;
      } catch (ClassNotFoundException e) {
        return false;
      }
    }
  }
}
