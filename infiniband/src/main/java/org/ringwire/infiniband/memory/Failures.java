package org.ringwire.infiniband.memory;

import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteMemoryException.Reason;

/**
 * What users are told of why an operation has failed. It is made by who tells them: an operation
 * ends also where there is no heap for that.
 */
final class Failures {

  private Failures() {}

  /**
   * Of an operation on memory of a node.
   *
   * @param what has happened, if the reason leaves that open
   */
  static RemoteMemoryException of(int peer, Reason reason, String what, @Nullable Throwable cause) {
    String facts =
        switch (reason) {
          case REFUSED -> "the owner does not allow it, it was revoked: " + what;
          case STALE -> "the descriptor is of another life of the node";
          case UNREACHABLE -> (what.isEmpty() ? "no queue pair to it" : what) + message(cause);
          case CLOSED ->
              cause == null
                  ? "the remote memory of this node was closed"
                  : "the remote memory of this node has failed: " + cause;
          case DEADLINE -> "the time is over, it may have been carried out";
          case UNCERTAIN -> what + message(cause) + ", it may have been carried out";
          case NOT_PERMITTED -> what;
        };
    return new RemoteMemoryException(reason, "memory of node " + peer + ": " + facts, cause);
  }

  private static String message(@Nullable Throwable cause) {
    return cause == null ? "" : ": " + cause.getMessage();
  }
}
