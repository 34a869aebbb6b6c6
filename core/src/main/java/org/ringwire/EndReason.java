package org.ringwire;

/** Why a connection has ended. */
public enum EndReason {
  /** This node was closed. */
  NODE_CLOSED,
  /** The peer has closed its node, and said so. */
  PEER_CLOSED,
  /** One of the two nodes had too many connections, and this one was not used for longest. */
  DISMISSED,
  /** One of the two heard nothing of the other for {@link NodeConfig#keepAlive}. */
  NO_SIGN_OF_LIFE,
  /** One of the two found that the other had broken a rule of the protocol. */
  RULE_BROKEN,
  /**
   * Another life of the peer, or of this node at the peer, has taken its place, or another
   * connection of the same life.
   */
  REPLACED,
  /**
   * A message that this node has begun to encode was not finished for a hundred times {@link
   * NodeConfig#encodeTimeout}, and nothing could go out behind it: its codec does not return, or
   * its thread had no stack left.
   */
  ENCODER_LOST,
  /** The medium failed, the peer went without a word, or a node failed at what had come to it. */
  LINK_LOST;

  /** Whether a node has ended it on purpose, in good order. */
  public boolean isOrderly() {
    return this == NODE_CLOSED || this == PEER_CLOSED || this == DISMISSED;
  }
}
