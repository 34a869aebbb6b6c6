package org.ringwire;

/**
 * Hears of connections. Called on a thread of its own, one event after the other, so that it may
 * block; an exception is logged.
 */
public interface NodeListener {

  /** A node can be sent to. */
  default void connected(int nodeId) {}

  /** A connection has ended; requests that waited for it have failed already. */
  default void lost(LossReport report) {}

  /** A connection attempt, ours or a peer's, was refused; nodeId is -1 where it is not known. */
  default void refused(int nodeId, String reason) {}
}
