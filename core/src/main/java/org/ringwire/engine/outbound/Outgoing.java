package org.ringwire.engine.outbound;

import java.lang.foreign.MemorySegment;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;
import org.ringwire.wire.FrameLayout;

/**
 * A message, request or response on its way into a frame: what is known before its memory is.
 * Confined to the thread that sends.
 *
 * @param context of the sending thread
 * @param type what the peer is told that it is
 * @param codec what writes the body, exactly once
 * @param message what is written
 * @param kind {@link FrameLayout#MESSAGE}, {@link FrameLayout#REQUEST} or {@link
 *     FrameLayout#RESPONSE}
 * @param correlation of a request or response; 0 for a message
 * @param bodyLength bytes that the codec has announced, checked against the limit
 */
record Outgoing<T>(
    SendContext context,
    MessageType<?> type,
    Codec<T> codec,
    T message,
    int kind,
    long correlation,
    int bodyLength) {

  /**
   * Asks the codec for the length.
   *
   * @throws org.ringwire.EncodingException if the codec throws, or the length is out of range
   */
  static <T> Outgoing<T> of(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      int maxLength) {
    int bodyLength = FrameEncoder.lengthOf(type, codec, message, maxLength);
    return new Outgoing<>(context, type, codec, message, kind, correlation, bodyLength);
  }

  /** The same, to be copied from bytes that were written already. */
  Outgoing<EncodedMessage> encodedIn(MemorySegment memory) {
    EncodedMessage encoded = new EncodedMessage(memory, bodyLength);
    return new Outgoing<>(
        context, type, EncodedMessage.COPY, encoded, kind, correlation, bodyLength);
  }

  /** Bytes before the body. */
  int bodyOffset() {
    return kind == FrameLayout.MESSAGE
        ? FrameLayout.HEADER_LENGTH
        : FrameLayout.HEADER_LENGTH + FrameLayout.CORRELATION_LENGTH;
  }

  /** Bytes of the frame without its padding. */
  int length() {
    return bodyOffset() + bodyLength;
  }

  /** Bytes of the frame with its padding. */
  long occupied() {
    return FrameLayout.occupied(bodyOffset() + (long) bodyLength);
  }

  long header() {
    return FrameLayout.header(kind, type.id(), length());
  }

  /** Writes the correlation, if there is one, and nothing else. */
  void writeCorrelation(MemorySegment memory, long frame) {
    if (kind != FrameLayout.MESSAGE) {
      FrameLayout.writeWord(memory, frame + FrameLayout.HEADER_LENGTH, correlation);
    }
  }
}
