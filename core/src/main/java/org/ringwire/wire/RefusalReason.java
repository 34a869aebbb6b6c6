package org.ringwire.wire;

/** Why a HELLO was refused. The codes stand on the wire and never change. */
public enum RefusalReason {
  /** A code of a later version. */
  UNKNOWN(0, true),
  /** No protocol version in common. */
  WRONG_VERSION(1, false),
  /** The acceptor belongs to another cluster. */
  WRONG_CLUSTER(2, false),
  /** The acceptor is another node than the one expected. */
  WRONG_NODE(3, true),
  /** A living node with the opener's id is connected already. */
  DUPLICATE_NODE(4, true),
  /** The acceptor, or what it knows of the opener, has another incarnation than expected. */
  STALE_INCARNATION(5, true),
  /** Both sides know a type by one name and disagree about its encoding. */
  SCHEMA_MISMATCH(6, false),
  /** The acceptor has as many connections or handshakes as it allows. */
  LIMIT(7, true),
  /** The acceptor is closing. */
  SHUTTING_DOWN(8, true),
  /** The HELLO broke a rule of the wire format. */
  MALFORMED(9, false),
  /** The HELLO demanded a field that the acceptor does not know. */
  UNSUPPORTED(10, false),
  /** The opener did not prove who it is, or with a method that the acceptor does not accept. */
  AUTHENTICATION(11, false);

  private static final RefusalReason[] VALUES = values();

  private final int code;
  private final boolean retryable;

  RefusalReason(int code, boolean retryable) {
    this.code = code;
    this.retryable = retryable;
  }

  /** The reason with a code, {@link #UNKNOWN} for one that this version does not know. */
  public static RefusalReason of(int code) {
    return code > 0 && code < VALUES.length ? VALUES[code] : UNKNOWN;
  }

  /** The reason to give for a handshake that broke a rule. */
  public static RefusalReason of(ProtocolException.Reason reason) {
    return switch (reason) {
      case VERSION -> WRONG_VERSION;
      case FIELD_UNKNOWN -> UNSUPPORTED;
      case SCHEMA -> SCHEMA_MISMATCH;
      case LIMIT -> LIMIT;
      case AUTHENTICATION -> AUTHENTICATION;
      default -> MALFORMED;
    };
  }

  /** The number on the wire. */
  public int code() {
    return code;
  }

  /** Whether the same HELLO may be accepted at another time. */
  public boolean isRetryable() {
    return retryable;
  }
}
