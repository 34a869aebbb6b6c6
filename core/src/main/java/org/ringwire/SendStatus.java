package org.ringwire;

/** What became of an attempt to send without waiting. */
public enum SendStatus {
  /** Encoded and in the order of the caller's messages to that node. */
  ACCEPTED,
  /** The ring or the receiver's window is full; try again later, or block. */
  BACK_PRESSURED,
  /** There is no connection yet; an attempt is under way. */
  NOT_CONNECTED,
  /** The directory does not know the node. */
  UNKNOWN_NODE,
  /**
   * The connection cannot be made at present: refused, or backing off after a failure, or the
   * directory has thrown something, which the log has. Of a message to several nodes also that the
   * process may not commit the native memory for it: who sends to one gets a {@link
   * MemoryLimitException}.
   */
  UNREACHABLE,
  /**
   * Longer than the receiver allows. Only of a message to several nodes: who sends to one gets an
   * {@link EncodingException}.
   */
  TOO_LONG,
  /** This node is closed or closing. */
  CLOSED
}
