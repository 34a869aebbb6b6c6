package org.ringwire.engine.outbound;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.outbound.encoding.EncodedMessage;
import org.ringwire.wire.FrameLayout;

/**
 * A message, request or response on its way into a frame, where it may have to wait, or goes beside
 * the ring: what is known before its memory is. What goes into the ring at once needs none ({@link
 * RingFrames}). Confined to the thread that sends.
 *
 * @param context of the sending thread
 * @param type what the peer is told that it is
 * @param codec what writes the body, exactly once
 * @param message what is written
 * @param kind {@link FrameLayout#MESSAGE}, {@link FrameLayout#REQUEST} or {@link
 *     FrameLayout#RESPONSE}
 * @param correlation of a request or response; 0 for a message
 * @param bodyLength bytes that the codec has announced, checked against the limit
 * @param unwanted whether nobody wants any more that it is sent; asked where it waits for room
 */
record Outgoing<T>(
    SendContext context,
    MessageType<?> type,
    Codec<T> codec,
    T message,
    int kind,
    long correlation,
    int bodyLength,
    BooleanSupplier unwanted) {

  /** Somebody wants it, whatever happens. */
  static final BooleanSupplier WANTED = () -> false;

  /** As nearly all that goes out: nobody changes his mind. */
  Outgoing(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      int bodyLength) {
    this(context, type, codec, message, kind, correlation, bodyLength, WANTED);
  }

  /** The same, to be copied from bytes that were written already. */
  Outgoing<EncodedMessage> encodedIn(MemorySegment memory) {
    EncodedMessage encoded = new EncodedMessage(memory, bodyLength);
    return new Outgoing<>(
        context, type, EncodedMessage.COPY, encoded, kind, correlation, bodyLength, unwanted);
  }

  /** Bytes before the body. */
  int bodyOffset() {
    return bodyOffset(kind);
  }

  /** Bytes before the body of a frame of this kind. */
  static int bodyOffset(int kind) {
    return kind == FrameLayout.MESSAGE
        ? FrameLayout.HEADER_LENGTH
        : FrameLayout.HEADER_LENGTH + FrameLayout.CORRELATION_LENGTH;
  }

  /** Bytes of a frame of this kind with its padding. */
  static long occupied(int kind, int bodyLength) {
    return FrameLayout.occupied(bodyOffset(kind) + (long) bodyLength);
  }

  /** Bytes of the frame without its padding. */
  int length() {
    return bodyOffset() + bodyLength;
  }

  /** Bytes of the frame with its padding. */
  long occupied() {
    return occupied(kind, bodyLength);
  }

  long header() {
    return FrameLayout.header(kind, type.id(), length());
  }

  /** Writes the correlation, if there is one, and nothing else. */
  void writeCorrelation(MemorySegment memory, long frame) {
    writeCorrelation(memory, frame, kind, correlation);
  }

  /** Writes the correlation of a frame of this kind, if it has one, and nothing else. */
  static void writeCorrelation(MemorySegment memory, long frame, int kind, long correlation) {
    if (kind != FrameLayout.MESSAGE) {
      FrameLayout.writeWord(memory, frame + FrameLayout.HEADER_LENGTH, correlation);
    }
  }
}
