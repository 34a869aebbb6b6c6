package org.ringwire.wire;

/** Why a side sends no more data. The codes stand on the wire and never change. */
public enum CloseReason {
  /** A code of a later version. */
  UNKNOWN(0),
  /** The node is closing. */
  NODE_CLOSING(1),
  /** The connection was the least recently used of too many. */
  DISMISSED(2),
  /** The peer broke a rule of the wire format; the text says which. */
  PROTOCOL_VIOLATION(3),
  /** A newer incarnation of the peer has taken its place. */
  REPLACED(4),
  /** The peer did not answer in time. */
  NO_SIGN_OF_LIFE(5),
  /** The side failed for a reason of its own. */
  INTERNAL_ERROR(6),
  /** Both sides know a type by one name and disagree about its encoding. */
  SCHEMA_MISMATCH(7),
  /** The peer made this side keep more than it keeps for one peer; the text says what. */
  LIMIT(8),
  /** The peer has not proved that it knows the cluster's secret. */
  AUTHENTICATION(9),
  /** Said after another reason: everything is processed and answered, the link may go. */
  FINISHED(10);

  private static final CloseReason[] VALUES = values();

  private final int code;

  CloseReason(int code) {
    this.code = code;
  }

  /** The reason with a code, {@link #UNKNOWN} for one that this version does not know. */
  public static CloseReason of(int code) {
    return code > 0 && code < VALUES.length ? VALUES[code] : UNKNOWN;
  }

  /** The reason to give to a peer that broke a rule. */
  public static CloseReason of(ProtocolException.Reason reason) {
    return switch (reason) {
      case SCHEMA -> SCHEMA_MISMATCH;
      case LIMIT -> LIMIT;
      case AUTHENTICATION -> AUTHENTICATION;
      default -> PROTOCOL_VIOLATION;
    };
  }

  /** The number on the wire. */
  public int code() {
    return code;
  }
}
