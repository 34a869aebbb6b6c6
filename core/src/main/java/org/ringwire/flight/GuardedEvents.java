package org.ringwire.flight;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.LossReport;

/**
 * Events that cost nothing but themselves: who tells of something goes on, whatever the recorder
 * throws. Without memory its classes may fail to initialise, and then do so for ever.
 *
 * <p>To make the classes of events known to the recorder takes about as long as to open a node. So
 * that is done when the recorder is in use, and not before: by who opens a node, or, where a
 * recording begins later, by a thread of a node. Never in an event, which may be one of a thread
 * that reads all links, or of a user's that is deep in calls.
 */
final class GuardedEvents implements FlightEvents {

  private static final Stall NONE = (nodeId, peerId) -> {};
  private static final FlightEvents UNUSED = new NoEvents();

  private final BooleanSupplier inUse;
  private final Supplier<FlightEvents> recorder;
  private volatile @Nullable FlightEvents recorded;

  /** Those of the recorder, once they are known, or none if it cannot be had. */
  GuardedEvents(BooleanSupplier inUse, Supplier<FlightEvents> recorder) {
    this.inUse = inUse;
    this.recorder = recorder;
  }

  private FlightEvents events() {
    FlightEvents known = recorded;
    return known == null ? UNUSED : known;
  }

  @Override
  public boolean isUnknown() {
    return recorded == null && inUse.getAsBoolean();
  }

  /** Two threads may make them at the same time; that does no harm. */
  @Override
  public void makeKnown() {
    try {
      if (isUnknown()) {
        recorded = recorder.get();
      }
    } catch (VirtualMachineError e) {
      // want of memory or stack, which may pass: the next time it is tried again
    } catch (RuntimeException | Error e) {
      recorded = UNUSED; // for ever
    }
  }

  @Override
  public void connected(int nodeId, int peerId) {
    try {
      events().connected(nodeId, peerId);
    } catch (RuntimeException | Error e) {
      // it is not recorded
    }
  }

  @Override
  public void ended(int nodeId, LossReport report) {
    try {
      events().ended(nodeId, report);
    } catch (RuntimeException | Error e) {
      // it is not recorded
    }
  }

  @Override
  public Stall stall() {
    FlightEvents known = events();
    if (known.equals(UNUSED)) {
      return NONE;
    }
    try {
      Stall stall = known.stall();
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
      events().slowHandler(nodeId, peerId, messageType, tookNs);
    } catch (RuntimeException | Error e) {
      // it is not recorded
    }
  }

  @Override
  public void rejected(int nodeId, int peerId, String rule, String text) {
    try {
      events().rejected(nodeId, peerId, rule, text);
    } catch (RuntimeException | Error e) {
      // it is not recorded
    }
  }
}
