package org.ringwire.wire;

/**
 * A peer broke a rule of the wire format, which costs it the connection. The text says which rule,
 * with the facts as {@code name=value}; the reason is what is counted. Immutable.
 */
public final class ProtocolException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** The rule that was broken. */
  public enum Reason {
    /** The first bytes of a link belong to another protocol. */
    NOT_RINGWIRE,
    /** A frame is shorter or longer than its kind, or this link, allows. */
    FRAME_LENGTH,
    /** A kind that this version does not know, or that belongs in rings only. */
    FRAME_KIND,
    /** Flags that this version does not know, or that the kind cannot have. */
    FRAME_FLAGS,
    /** The bytes between the end of a frame and the next multiple of 8 are not zero. */
    FRAME_PADDING,
    /** A known frame that has no place here: data before the handshake, a second HELLO. */
    FRAME_UNEXPECTED,
    /** No protocol version in common. */
    VERSION,
    /** A field that must be understood is not known. */
    FIELD_UNKNOWN,
    /** A field that may stand once stands twice. */
    FIELD_DUPLICATE,
    /** A field that must be there is not. */
    FIELD_MISSING,
    /** A field ends after its frame, or has another length than its tag demands. */
    FIELD_LENGTH,
    /** A number out of its range. */
    VALUE,
    /** Text that is not UTF-8, or longer than allowed. */
    TEXT,
    /** More data than was granted. */
    WINDOW,
    /** Credit that shrinks, or that was never used. */
    CREDIT,
    /** A message of a type that was not announced, or an id announced twice. */
    TYPE,
    /** Both sides know a type by one name and disagree about its encoding. */
    SCHEMA,
    /** More than this side keeps for one peer. */
    LIMIT,
    /** The peer has not proved that it knows the secret, or its certificate is for another node. */
    AUTHENTICATION,
    /** No TLS: no certificate, one that is not accepted, by either side, or another protocol. */
    TLS,
    /** The body of a message does not decode. */
    BODY
  }

  private final Reason reason;

  /** With the rule that was broken and a text for people that gives the facts. */
  public ProtocolException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** The rule that was broken. */
  public Reason reason() {
    return reason;
  }
}
