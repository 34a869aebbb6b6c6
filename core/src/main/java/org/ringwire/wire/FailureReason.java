package org.ringwire.wire;

/** Why a request got no response. The codes stand on the wire and never change. */
public enum FailureReason {
  /** A code of a later version. */
  UNKNOWN(0),
  /** The handler threw, or ended the request with an error. */
  HANDLER_FAILED(1),
  /** There is no handler for the type. */
  NO_HANDLER(2),
  /** The body of the request did not decode. */
  NOT_DECODED(3),
  /** The response could not be encoded, or is longer than the requester accepts. */
  NOT_ENCODED(4),
  /** The handler returned without an answer. */
  NO_REPLY(5),
  /** The node is closing and handles no more requests. */
  NODE_CLOSING(6);

  private static final FailureReason[] VALUES = values();

  private final int code;

  FailureReason(int code) {
    this.code = code;
  }

  /** The reason with a code, {@link #UNKNOWN} for one that this version does not know. */
  public static FailureReason of(int code) {
    return code > 0 && code < VALUES.length ? VALUES[code] : UNKNOWN;
  }

  /** Whether a handler may have had the request. */
  public boolean mayBeHandled() {
    return this != NO_HANDLER && this != NOT_DECODED && this != NODE_CLOSING;
  }

  /** The number on the wire. */
  public int code() {
    return code;
  }
}
