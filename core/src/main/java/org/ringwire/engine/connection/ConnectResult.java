package org.ringwire.engine.connection;

import org.ringwire.NodeClosedException;
import org.ringwire.metrics.ErrorLog;

/** What became of the wish for a connection to a node. */
public sealed interface ConnectResult {

  /** There is one, which may still be under way. */
  record Begun(Connection connection) implements ConnectResult {}

  /** There is none, as nobody knows where the node is. */
  record Unknown(String why) implements ConnectResult {}

  /** There is none, as the directory has thrown something instead of an answer. */
  record DirectoryFailed(String why, Exception cause) implements ConnectResult {

    static DirectoryFailed by(Exception cause) {
      if (cause instanceof InterruptedException) { // which it was not allowed to throw
        Thread.currentThread().interrupt();
      }
      return new DirectoryFailed("the directory has failed: " + ErrorLog.textOf(cause), cause);
    }
  }

  /** There is none, as the last attempt has failed only just now. */
  record BacksOff(String why) implements ConnectResult {}

  /** There is none, as this node closes. */
  record NodeCloses(int own) implements ConnectResult {

    /** For who is told by an exception. */
    public NodeClosedException failure() {
      return new NodeClosedException("the node is closed: nodeId=" + own, null, false);
    }
  }
}
