package org.ringwire.flight;

import org.ringwire.LossReport;

/** Where there is no recorder. */
final class NoEvents implements FlightEvents {

  private static final Stall NONE = (nodeId, peerId) -> {};

  @Override
  public void connected(int nodeId, int peerId) {}

  @Override
  public void ended(int nodeId, LossReport report) {}

  @Override
  public Stall stall() {
    return NONE;
  }

  @Override
  public void slowHandler(int nodeId, int peerId, String messageType, long tookNs) {}

  @Override
  public void rejected(int nodeId, int peerId, String rule, String text) {}
}
