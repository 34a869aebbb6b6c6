package org.ringwire.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ringwire.wire.ProtocolException.Reason;

/** Which headers may stand on the wire: the least and the greatest length of each kind. */
public final class FrameRules {

  /** Kinds that can be on the wire are smaller; so is the top of a header without flags. */
  private static final int KINDS = 32;

  private static final long WITHOUT_FLAGS = (1L << 56) - 1;
  private static final int UNLIMITED = Integer.MAX_VALUE;
  private static final int[] LEAST = new int[KINDS];
  private static final int[] MOST = new int[KINDS];

  static {
    Arrays.fill(LEAST, UNLIMITED);
    kind(FrameLayout.MESSAGE, FrameLayout.HEADER_LENGTH, UNLIMITED);
    kind(FrameLayout.REQUEST, ControlFrames.CORRELATED_LENGTH, UNLIMITED);
    kind(FrameLayout.RESPONSE, ControlFrames.CORRELATED_LENGTH, UNLIMITED);
    kind(
        FrameLayout.FAILURE,
        ControlFrames.CORRELATED_LENGTH,
        ControlFrames.CORRELATED_LENGTH + ControlFrames.MAX_TEXT_LENGTH);
    kind(FrameLayout.TYPE, FrameLayout.HEADER_LENGTH, TypeAnnouncement.MAX_FRAME_LENGTH);
    kind(FrameLayout.HELLO, Handshake.HELLO_FIELDS, Handshake.MAX_FRAME_LENGTH);
    kind(FrameLayout.WELCOME, Handshake.WELCOME_FIELDS, Handshake.MAX_FRAME_LENGTH);
    kind(
        FrameLayout.REFUSE,
        FrameLayout.HEADER_LENGTH,
        FrameLayout.HEADER_LENGTH + ControlFrames.MAX_TEXT_LENGTH);
    kind(FrameLayout.CREDIT, ControlFrames.CREDIT_LENGTH, ControlFrames.CREDIT_LENGTH);
    kind(FrameLayout.PING, ControlFrames.TOKEN_LENGTH, ControlFrames.TOKEN_LENGTH);
    kind(FrameLayout.PONG, ControlFrames.TOKEN_LENGTH, ControlFrames.TOKEN_LENGTH);
    kind(FrameLayout.ANNOUNCE, ControlFrames.ANNOUNCE_LENGTH, ControlFrames.ANNOUNCE_LENGTH);
    kind(FrameLayout.GRANT, ControlFrames.TOKEN_LENGTH, ControlFrames.TOKEN_LENGTH);
    kind(
        FrameLayout.CLOSE,
        FrameLayout.HEADER_LENGTH,
        FrameLayout.HEADER_LENGTH + ControlFrames.MAX_TEXT_LENGTH);
    kind(FrameLayout.WAIVE, ControlFrames.TOKEN_LENGTH, ControlFrames.TOKEN_LENGTH);
    kind(FrameLayout.CHALLENGE, ControlFrames.PROOF_LENGTH, ControlFrames.PROOF_LENGTH);
    kind(FrameLayout.PROOF, ControlFrames.PROOF_LENGTH, ControlFrames.PROOF_LENGTH);
    kind(
        FrameLayout.DELAY,
        ControlFrames.TOKEN_LENGTH,
        ControlFrames.TOKEN_LENGTH + ControlFrames.MAX_TEXT_LENGTH);
    kind(FrameLayout.SHARE, FrameLayout.HEADER_LENGTH, FrameLayout.HEADER_LENGTH);
  }

  private FrameRules() {}

  private static void kind(int kind, int least, int most) {
    LEAST[kind] = least;
    MOST[kind] = most;
  }

  /**
   * Whether the header may begin a frame; a handful of compares.
   *
   * @param maxFrameLength of messages, and without their correlation ids of requests and responses,
   *     however long other kinds may be; 0 allows nothing of any kind
   */
  public static boolean allow(long header, int maxFrameLength) {
    int kindAndFlags = (int) (header >>> 48);
    int length = FrameLayout.length(header);
    return kindAndFlags < KINDS
        ? length >= LEAST[kindAndFlags]
            && length <= MOST[kindAndFlags]
            && (length - LEAST[kindAndFlags] <= maxFrameLength - FrameLayout.HEADER_LENGTH
                || (!hasBody(kindAndFlags) && maxFrameLength > 0))
        : mayBeGranted(kindAndFlags) && allow(header & WITHOUT_FLAGS, maxFrameLength);
  }

  /** Whether the kind carries a message, whose length is up to its receiver. */
  private static boolean hasBody(int kind) {
    return kind >= FrameLayout.MESSAGE && kind <= FrameLayout.RESPONSE;
  }

  private static boolean mayBeGranted(int kindAndFlags) {
    int kind = kindAndFlags & 0xFF;
    return kindAndFlags >>> 8 == FrameLayout.GRANTED && hasBody(kind);
  }

  /** Whether the bytes after a frame, up to the next multiple of 8, are zero. */
  public static boolean paddingIsZero(MemorySegment memory, long offset, int length) {
    int used = length & (FrameLayout.ALIGNMENT - 1);
    if (used == 0) {
      return true;
    }
    long last = FrameLayout.readWord(memory, offset + length - used);
    return last >>> (used << 3) == 0;
  }

  /** What is wrong with a header that is not allowed. */
  public static ProtocolException violation(long header, int maxFrameLength, long position) {
    String foreign = position == 0 ? ForeignProtocols.recognize(header) : null;
    if (foreign != null) {
      return new ProtocolException(Reason.NOT_RINGWIRE, foreign);
    }
    int kind = FrameLayout.kind(header);
    String facts = " kind=" + kind + " position=" + position;
    if (kind >= KINDS || LEAST[kind] == UNLIMITED) {
      return new ProtocolException(
          Reason.FRAME_KIND,
          "frame of unknown kind:" + facts + " header=0x" + Long.toHexString(header));
    }
    int flags = FrameLayout.flags(header);
    if (flags != 0 && !mayBeGranted((int) (header >>> 48))) {
      return new ProtocolException(
          Reason.FRAME_FLAGS, "flags that the frame cannot have: flags=" + flags + facts);
    }
    return new ProtocolException(
        Reason.FRAME_LENGTH,
        "frame length out of range: length="
            + Integer.toUnsignedLong(FrameLayout.length(header))
            + " least="
            + LEAST[kind]
            + " limit="
            + (hasBody(kind)
                ? maxFrameLength - FrameLayout.HEADER_LENGTH + LEAST[kind]
                : MOST[kind])
            + facts);
  }

  /** Complains about bytes after a frame that are not zero. */
  public static ProtocolException dirtyPadding(long header) {
    return new ProtocolException(
        Reason.FRAME_PADDING,
        "padding of a frame is not zero: length="
            + FrameLayout.length(header)
            + " kind="
            + FrameLayout.kind(header));
  }
}
