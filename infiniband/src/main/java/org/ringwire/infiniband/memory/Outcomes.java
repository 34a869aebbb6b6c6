package org.ringwire.infiniband.memory;

import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.RemoteMemoryException.Reason;

/**
 * How operations on memory of one other node end: carried out, or not and why. An operation that
 * ends here is in no list any more, and nothing of it is under way. Any thread, with the lock of
 * the {@link Initiator} or for an operation that it has not got.
 */
final class Outcomes {

  /** Nothing more is to be said of a failure. */
  static final String NOTHING_MORE = "";

  private final NodeMemory owner;
  private final int peer;

  Outcomes(NodeMemory owner, int peer) {
    this.owner = owner;
    this.peer = peer;
  }

  /** It was carried out, or has said itself why not. */
  void end(Operation operation) {
    owner.end(operation);
  }

  void fail(Operation operation, Reason why, String what, @Nullable Throwable cause) {
    operation.fail(peer, why, what, cause);
    owner.end(operation);
  }

  /** Ends all of a list. */
  void failAll(Operations operations, Reason why, @Nullable Throwable cause) {
    for (Operation each = operations.poll(); each != null; each = operations.poll()) {
      fail(each, why, NOTHING_MORE, cause);
    }
  }
}
