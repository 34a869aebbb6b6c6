package org.ringwire.engine.outbound;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;
import org.ringwire.MemoryLimitException;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;
import org.ringwire.codec.Writer;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.ring.OutboundRing;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.TypeAnnouncement;

/**
 * Calls users' codecs and holds them to their contract: whatever goes wrong becomes an {@link
 * EncodingException} that names the type and both lengths.
 */
public final class FrameEncoder {

  private FrameEncoder() {}

  public static TypeAnnouncement announcementOf(MessageType<?> type) {
    return new TypeAnnouncement(
        type.id(), type.name(), type.fingerprint(), type.schema().toBytes());
  }

  /**
   * Asks the codec for the length of the body and checks it.
   *
   * @param what is encoded, for people
   */
  public static <T> int lengthOf(
      String what, MessageType<?> type, Codec<T> codec, T message, int maxMessageLength) {
    int length;
    try {
      length = codec.length(message);
    } catch (MemoryLimitException | Error e) {
      throw e;
    } catch (Throwable e) { // also a checked exception that nobody has declared
      keepInterrupt(e);
      throw new EncodingException(
          "length() threw: " + ErrorLog.textOf(e) + ": messageType=" + type.name(), e);
    }
    if (length < 0 || length > maxMessageLength) {
      throw new EncodingException(
          what
              + " length out of range: messageType="
              + type.name()
              + " length="
              + length
              + " maxMessageLength="
              + maxMessageLength
              + " (of this node and the one that is to receive it the smaller one counts)");
    }
    return length;
  }

  /**
   * Begins a frame that was claimed in a ring and encodes its body.
   *
   * @param header of the frame
   * @param bodyOffset of its body in the frame
   */
  static <T> void encodeInRing(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      OutboundRing ring,
      long position,
      long header,
      int bodyOffset) {
    long body = ring.offset(position) + bodyOffset;
    int bodyLength = FrameLayout.length(header) - bodyOffset;
    Writer writer = context.takeWriter();
    try {
      writer.wrap(ring.memory(), body, bodyLength);
      ring.open(writer.memory(), position, header);
      encode(writer, type, codec, message, body, bodyLength);
    } finally {
      context.returnWriter(writer);
    }
  }

  public static <T> void encode(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      MemorySegment memory,
      long offset,
      long length) {
    Writer writer = context.takeWriter();
    try {
      writer.wrap(memory, offset, length);
      encode(writer, type, codec, message, offset, length);
    } finally {
      context.returnWriter(writer);
    }
  }

  private static <T> void encode(
      Writer writer, MessageType<?> type, Codec<T> codec, T message, long offset, long length) {
    try {
      codec.encode(message, writer);
    } catch (EncodingException | MemoryLimitException | Error e) {
      throw e;
    } catch (Throwable e) { // as above
      keepInterrupt(e);
      throw wrongLength(type, length, writer.position() - offset, e);
    }
    if (writer.position() != offset + length) {
      throw wrongLength(type, length, writer.position() - offset, null);
    }
  }

  /** An interrupt that a codec was told of is the caller's. */
  private static void keepInterrupt(Throwable thrown) {
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
  }

  private static EncodingException wrongLength(
      MessageType<?> type, long announced, long written, @Nullable Throwable cause) {
    return new EncodingException(
        (cause == null
                ? "encode() wrote less than it announced"
                : "encode() failed: " + ErrorLog.textOf(cause))
            + ": messageType="
            + type.name()
            + " announcedLength="
            + announced
            + " writtenLength="
            + written,
        cause);
  }
}
