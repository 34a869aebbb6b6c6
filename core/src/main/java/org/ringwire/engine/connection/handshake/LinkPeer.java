package org.ringwire.engine.connection.handshake;

import org.jspecify.annotations.Nullable;
import org.ringwire.transport.Link;
import org.ringwire.transport.PeerIdentity;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;

/** Compares what a peer says of itself with what it has proved to the medium. */
public final class LinkPeer {

  private LinkPeer() {}

  /** What speaks against a peer being the node that it says, or null; media may prove nothing. */
  public static @Nullable String objection(@Nullable Link link, int nodeId) {
    PeerIdentity peer = link == null ? null : link.peer();
    return peer == null || peer.covers(nodeId)
        ? null
        : "a peer claims to be another node than it has proved: expected="
            + peer.nodeIds()
            + " actual="
            + nodeId
            + " ("
            + peer.proof()
            + ")";
  }

  /**
   * Makes sure that nothing speaks against it.
   *
   * @throws ProtocolException if something does
   */
  public static void require(@Nullable Link link, int nodeId) {
    String objection = objection(link, nodeId);
    if (objection != null) {
      throw new ProtocolException(Reason.AUTHENTICATION, objection);
    }
  }
}
