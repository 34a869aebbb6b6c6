package org.ringwire.wire;

import java.lang.foreign.MemorySegment;

/**
 * Refuses a {@link Hello}; the link closes.
 *
 * @param code number of the reason on the wire, 0 to 65535
 * @param text for people
 */
public record Refusal(int code, String text) {

  /** Validates. */
  public Refusal {
    if (code < 0 || code > 0xFFFF) {
      throw new IllegalArgumentException("code must be in 0..65535: code=" + code);
    }
  }

  /** A refusal for a known reason. */
  public Refusal(RefusalReason reason, String text) {
    this(reason.code(), text);
  }

  /** The refusal of a HELLO that broke a rule. */
  public static Refusal of(ProtocolException violation) {
    return new Refusal(
        RefusalReason.of(violation.reason()), String.valueOf(violation.getMessage()));
  }

  /**
   * Reads a REFUSE frame, its text on one line.
   *
   * @throws ProtocolException if the frame breaks a rule
   */
  public static Refusal parse(MemorySegment memory, long offset, long header) {
    return new Refusal(
        FrameLayout.type(header),
        ControlFrames.text(memory, offset, header, FrameLayout.HEADER_LENGTH, "REFUSE"));
  }

  /** A REFUSE frame, header and padding included; text that is too long is cut. */
  public byte[] encode() {
    return new FieldWriter()
        .plain(Utf8.encode(text, ControlFrames.MAX_TEXT_LENGTH))
        .frame(FrameLayout.REFUSE, code, FrameLayout.HEADER_LENGTH + ControlFrames.MAX_TEXT_LENGTH);
  }

  /** The reason, {@link RefusalReason#UNKNOWN} for a code of a later version. */
  public RefusalReason reason() {
    return RefusalReason.of(code);
  }
}
