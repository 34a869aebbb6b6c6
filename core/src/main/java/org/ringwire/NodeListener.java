package org.ringwire;

/**
 * Hears of connections, and of the node's threads. Called on a thread of its own, one event after
 * the other, so that it may block (but for {@link #threadStarted}); an exception is logged. While
 * 10,000 events wait for it, peers are not let in.
 */
public interface NodeListener {

  /** In place of a node id: the peer was refused before it could say who it is. */
  int UNKNOWN_NODE = -1;

  /**
   * A node can be sent to. Comes after the end of the connection before it to the same node was
   * told, by {@link #lost} or {@link #dismissed}, so that the last event of a node says whether it
   * is connected. The new connection is in use before that; if the end of the old one is not known
   * in five seconds, this comes first.
   */
  default void connected(int nodeId) {}

  /**
   * A connection has ended, also if a node has closed it in good order and nothing is lost, which
   * {@link EndReason#isOrderly} and {@link LossReport#isClean} tell. Requests that waited for it
   * have failed already. Comes when it is known of each message whether it was accepted: not before
   * codecs have returned that are encoding one.
   */
  default void lost(LossReport report) {}

  /**
   * A connection was closed in good order because one of the two nodes had too many; nothing was
   * lost, and it comes back when it is used; by the peer alone if that has no listener, or its
   * address is not known here. If anything is lost or uncertain after all, because the peer was
   * gone meanwhile or did not finish in time, {@link #lost} is called instead.
   *
   * @param report what went over it: everything accepted was processed
   */
  default void dismissed(LossReport report) {}

  /**
   * A connection attempt, ours or a peer's, was refused. Not told while 1,000 of them wait for this
   * listener, as anybody can cause them; {@link NodeMetrics#handshakesRefused} counts all attempts
   * of peers that this node has refused.
   *
   * @param nodeId the node on the other side, or {@link #UNKNOWN_NODE}
   * @param reason for people
   */
  default void refused(int nodeId, String reason) {}

  /**
   * A platform thread of the node begins: the place to bind it to cores, by whatever library does
   * that. The one call that comes on the thread in question, before anything else there, and maybe
   * while other calls run. Names say what threads are for: {@code ringwire-<node>-io-<n>}, {@code
   * -handler-<n>}, {@code -flusher}, {@code -timer}, {@code -events}, {@code -chores} and the like.
   * An exception is logged and the thread goes on.
   */
  default void threadStarted(Thread thread) {}
}
