package org.ringwire.infiniband.connect;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.Mtu;

/**
 * The exchange as bytes, little-endian: a head of 8 bytes ({@value #MAGIC} as u32, version u8, kind
 * u8, length of the body u16) and the body. Offer and answer have a body of {@value #TERMS_LENGTH}
 * bytes: queue pair u32, packet number u32, lid u16, mtu code u8, engine u8, gid 16 bytes as on the
 * wire, link number u16, 0 u16, receive length u32, node id u32; for the engine {@code msgud} then
 * {@value #DATAGRAM_LENGTH} more: queue key u32, token u64. Whoever reads them skips what a later
 * version has appended. A refusal is UTF-8; control characters in it are read as dots.
 */
public final class ExchangeFormat {

  /** Bytes of the head. */
  public static final int HEAD_LENGTH = 8;

  /** Bytes of a body at most. */
  public static final int LONGEST_BODY = 1024;

  private static final int MAGIC = 0x42495752;
  private static final int VERSION = 1;
  private static final int OFFER = 1;
  private static final int ANSWER = 2;
  private static final int REFUSAL = 3;
  private static final int TERMS_LENGTH = 40;
  private static final int DATAGRAM_LENGTH = 12;

  private ExchangeFormat() {}

  /** A message as bytes. */
  public static byte[] encode(Exchange message) {
    return switch (message) {
      case Exchange.Offer(Terms terms) -> encode(OFFER, terms);
      case Exchange.Answer(Terms terms) -> encode(ANSWER, terms);
      case Exchange.Refusal(String reason) -> encode(reason);
    };
  }

  private static byte[] encode(int kind, Terms terms) {
    byte[] gid = new byte[Gid.LENGTH];
    terms.gid().write(MemorySegment.ofArray(gid), 0);
    DatagramTerms datagrams = terms.datagrams();
    int length = TERMS_LENGTH + (datagrams == null ? 0 : DATAGRAM_LENGTH);
    ByteBuffer bytes =
        frame(kind, length)
            .putInt(terms.queuePair())
            .putInt(terms.packetNumber())
            .putShort((short) terms.lid())
            .put((byte) terms.mtu().code())
            .put((byte) terms.engine().code())
            .put(gid)
            .putShort((short) terms.linkNumber())
            .putShort((short) 0)
            .putInt(terms.receiveLength())
            .putInt(terms.nodeId());
    if (datagrams != null) {
      bytes.putInt(datagrams.queueKey()).putLong(datagrams.token());
    }
    byte[] message = new byte[HEAD_LENGTH + length];
    bytes.get(0, message);
    return message;
  }

  private static byte[] encode(String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, LONGEST_BODY);
    return frame(REFUSAL, length).put(text, 0, length).array();
  }

  private static ByteBuffer frame(int kind, int bodyLength) {
    return ByteBuffer.allocate(HEAD_LENGTH + bodyLength)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(MAGIC)
        .put((byte) VERSION)
        .put((byte) kind)
        .putShort((short) bodyLength);
  }

  /**
   * Length of a message, from its head.
   *
   * @param bytes at least {@link #HEAD_LENGTH}
   * @throws ExchangeException if it is none, or a longer one than there are
   */
  static int length(byte[] bytes) throws ExchangeException {
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (head.getInt() != MAGIC) {
      throw new ExchangeException("the peer does not speak the exchange of the transport ib");
    }
    int version = Byte.toUnsignedInt(head.get());
    if (version != VERSION) {
      throw new ExchangeException(
          "the peer has another version of the transport ib: version="
              + version
              + " own="
              + VERSION);
    }
    head.get(); // the kind
    int length = Short.toUnsignedInt(head.getShort());
    if (length > LONGEST_BODY) {
      throw new ExchangeException("message of the exchange too long: length=" + length);
    }
    return HEAD_LENGTH + length;
  }

  /**
   * Reads a whole message.
   *
   * @throws ExchangeException if a rule is broken
   */
  static Exchange decode(byte[] bytes, int length) throws ExchangeException {
    ByteBuffer body =
        ByteBuffer.wrap(bytes, HEAD_LENGTH, length - HEAD_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    int kind = Byte.toUnsignedInt(bytes[5]);
    return switch (kind) {
      case OFFER -> new Exchange.Offer(decodeTerms(body));
      case ANSWER -> new Exchange.Answer(decodeTerms(body));
      case REFUSAL -> new Exchange.Refusal(decodeReason(body));
      default -> throw new ExchangeException("unknown message of the exchange: kind=" + kind);
    };
  }

  /** Whoever sends it is not known yet, and it goes into errors and logs: on one line. */
  private static String decodeReason(ByteBuffer body) {
    StringBuilder reason = new StringBuilder(StandardCharsets.UTF_8.decode(body));
    for (int i = 0; i < reason.length(); i++) {
      if (Character.isISOControl(reason.charAt(i))) {
        reason.setCharAt(i, '.');
      }
    }
    return reason.toString();
  }

  private static Terms decodeTerms(ByteBuffer body) throws ExchangeException {
    if (body.remaining() < TERMS_LENGTH) {
      throw new ExchangeException("terms cut short: length=" + body.remaining());
    }
    int queuePair = body.getInt();
    int packetNumber = body.getInt();
    int lid = Short.toUnsignedInt(body.getShort());
    int mtu = Byte.toUnsignedInt(body.get());
    int engine = Byte.toUnsignedInt(body.get());
    byte[] gid = new byte[Gid.LENGTH];
    body.get(gid);
    int linkNumber = Short.toUnsignedInt(body.getShort());
    body.getShort(); // reserved
    int receiveLength = body.getInt();
    int nodeId = body.getInt();
    if (Mtu.ofCode(mtu).code() != mtu) {
      throw new ExchangeException("terms out of range: mtu code=" + mtu);
    }
    try {
      Gid global = Gid.read(MemorySegment.ofArray(gid), 0);
      return new Terms(
          queuePair,
          packetNumber,
          lid,
          global,
          Mtu.ofCode(mtu),
          linkNumber,
          receiveLength,
          nodeId,
          decodeDatagrams(engine, body));
    } catch (IllegalArgumentException e) {
      throw new ExchangeException("terms out of range: " + e.getMessage(), e);
    }
  }

  private static @Nullable DatagramTerms decodeDatagrams(int engine, ByteBuffer body)
      throws ExchangeException {
    if (engine == Engine.MSGRC.code()) {
      return null;
    }
    if (engine != Engine.MSGUD.code()) {
      throw new ExchangeException("the peer uses an unknown engine: engine=" + engine);
    }
    if (body.remaining() < DATAGRAM_LENGTH) {
      throw new ExchangeException("terms cut short: datagrams=" + body.remaining());
    }
    return new DatagramTerms(body.getInt(), body.getLong());
  }
}
