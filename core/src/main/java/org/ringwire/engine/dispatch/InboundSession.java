package org.ringwire.engine.dispatch;

import org.jspecify.annotations.Nullable;
import org.ringwire.engine.inbound.InboundGrants;
import org.ringwire.engine.inbound.Replies;

/** The session of a link, as far as the way in of its messages has to know it. Any thread. */
public interface InboundSession {

  /** The way back of answers. */
  Replies replies();

  /** What the peer may send apart from its window. */
  InboundGrants grants();

  /** The connection that the link belongs to, by identity; null before it belongs to any. */
  @Nullable RequestingConnection connection();

  /** The node at the other end. */
  int peerId();

  /** Messages were processed so that the peer should have a CREDIT. */
  void creditDue();

  /** The peer has broken a rule of the protocol: ends the connection. */
  void violated(Throwable violation);
}
