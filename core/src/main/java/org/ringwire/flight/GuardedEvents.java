package org.ringwire.flight;

import java.util.function.Supplier;
import org.ringwire.LossReport;

/**
 * Events that cost nothing but themselves: who tells of something goes on, whatever the recorder
 * throws. Without memory its classes may fail to initialise, and then do so for ever.
 */
final class GuardedEvents implements FlightEvents {

  private static final Stall NONE = (nodeId, peerId) -> {};

  private final FlightEvents events;

  GuardedEvents(FlightEvents events) {
    this.events = events;
  }

  /** Those of the recorder, or none if it cannot be had. */
  static FlightEvents of(Supplier<FlightEvents> recorder) {
    try {
      return new GuardedEvents(recorder.get());
    } catch (RuntimeException | Error e) {
      return new NoEvents();
    }
  }

  @Override
  public void connected(int nodeId, int peerId) {
    try {
      events.connected(nodeId, peerId);
    } catch (RuntimeException | Error e) {
      // it is not recorded
    }
  }

  @Override
  public void ended(int nodeId, LossReport report) {
    try {
      events.ended(nodeId, report);
    } catch (RuntimeException | Error e) {
      // it is not recorded
    }
  }

  @Override
  public Stall stall() {
    try {
      Stall stall = events.stall();
      return (nodeId, peerId) -> end(stall, nodeId, peerId);
    } catch (RuntimeException | Error e) {
      return NONE;
    }
  }

  private static void end(Stall stall, int nodeId, int peerId) {
    try {
      stall.end(nodeId, peerId);
    } catch (RuntimeException | Error e) {
      // it is not recorded
    }
  }

  @Override
  public void slowHandler(int nodeId, int peerId, String messageType, long tookNs) {
    try {
      events.slowHandler(nodeId, peerId, messageType, tookNs);
    } catch (RuntimeException | Error e) {
      // it is not recorded
    }
  }

  @Override
  public void rejected(int nodeId, int peerId, String rule, String text) {
    try {
      events.rejected(nodeId, peerId, rule, text);
    } catch (RuntimeException | Error e) {
      // it is not recorded
    }
  }
}
