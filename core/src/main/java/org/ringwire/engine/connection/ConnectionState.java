package org.ringwire.engine.connection;

/**
 * Where a connection is in its life. A {@link Connection} is in exactly one of these states, moves
 * under its lock, and only as {@link #mayBecome} allows; what a call does is decided by the state
 * alone.
 *
 * <table>
 *   <caption>Who moves it</caption>
 *   <tr><th>from<th>to<th>by
 *   <tr><td>-<td>CONNECTING<td>the first who sends, or the peer's HELLO
 *   <tr><td>CONNECTING<td>OPEN<td>the reading thread: WELCOME of our link, or ours on a shared one
 *   <tr><td>OPEN<td>DRAINING<td>{@link Dismissals}, a CLOSE of the peer, the close of this node
 *   <tr><td>DRAINING<td>CLOSED<td>{@link Draining}, when both sides need it no more, or in time
 *   <tr><td>any that has not ended<td>CLOSED<td>the close of this node, when its time is over
 *   <tr><td>any that has not ended<td>LOST<td>a link that ends, a broken rule, no sign of life,
 *       another life of the peer
 * </table>
 */
public enum ConnectionState {
  /** There is no way for data yet. Those who send wait. */
  CONNECTING,
  /** Data can be sent. */
  OPEN,
  /**
   * It ends in good order: no new messages and requests; what was accepted is sent and processed,
   * what was asked is answered. Those who send wait for its end, and then connect anew; but for
   * handlers if the peer closes, since that may wait for them.
   */
  DRAINING,
  /** It has ended as one of the two nodes wanted. */
  CLOSED,
  /** It has ended otherwise, or never came about. */
  LOST;

  /** Whether a connection in this state may be moved to another. */
  boolean mayBecome(ConnectionState next) {
    return switch (this) {
      case CONNECTING -> next == OPEN || next.isEnded();
      case OPEN -> next == DRAINING || next.isEnded();
      case DRAINING -> next.isEnded();
      case CLOSED, LOST -> false;
    };
  }

  /** Whether messages and requests are accepted. */
  public boolean takesMessages() {
    return this == OPEN;
  }

  /** Whether responses are accepted. */
  boolean takesResponses() {
    return this == OPEN || this == DRAINING;
  }

  /** Whether nothing follows. */
  boolean isEnded() {
    return this == CLOSED || this == LOST;
  }
}
