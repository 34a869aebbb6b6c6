package org.ringwire.engine.inbound;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.FailureReason;

/** The way back to the node that a message came from. Any thread; never waits. */
public interface Replies {

  /** Id of that node. */
  int peerId();

  /** Sends a response; dropped if the connection has ended, which the requester knows of. */
  void reply(long correlation, Object response);

  /**
   * Ends a request with an error of which its handler tells. A reason that is not there is a defect
   * of the handler: it hears of it, and the requester, who waits, does so as well.
   */
  default void failed(long correlation, @Nullable String reason) {
    String text = reason == null ? "a request was failed, and its reason must not be null" : reason;
    fail(correlation, FailureReason.HANDLER_FAILED, text);
    Objects.requireNonNull(reason, "reason must not be null");
  }

  /** Ends a request with an error. */
  void fail(long correlation, FailureReason reason, String text);

  /** A request is thrown away, as the time of its node is over: whoever closes that hears of it. */
  void abandoned();
}
