package org.ringwire.engine.connection;

/** What became of the wish for a connection to a node. */
public sealed interface ConnectResult {

  /** There is one, which may still be under way. */
  record Begun(Connection connection) implements ConnectResult {}

  /** There is none, as nobody knows where the node is. */
  record Unknown(String why) implements ConnectResult {}

  /** There is none, as the last attempt has failed only just now. */
  record BacksOff(String why) implements ConnectResult {}
}
