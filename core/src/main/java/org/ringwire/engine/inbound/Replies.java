package org.ringwire.engine.inbound;

import org.ringwire.wire.FailureReason;

/** The way back to the node that a message came from. Any thread; never waits. */
public interface Replies {

  /** Id of that node. */
  int peerId();

  /** Sends a response; dropped if the connection has ended, which the requester knows of. */
  void reply(long correlation, Object response);

  /** Ends a request with an error. */
  void fail(long correlation, FailureReason reason, String text);
}
