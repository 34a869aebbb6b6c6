package org.ringwire.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ProtocolException.Reason;

/**
 * Reads the fields of a frame, each a 16-bit tag, a 32-bit length and a value, and complains about
 * whatever is wrong with them. Works on a copy: the bytes are read once. One thread.
 */
final class FieldReader {

  private static final int HEAD_LENGTH = 6;

  private final String what;
  private final ByteBuffer in;
  private long seen;
  private int rawTag;
  private int length;

  private FieldReader(String what, ByteBuffer in) {
    this.what = what;
    this.in = in.order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reads what follows the header of a frame.
   *
   * @param what the frame is called in errors
   */
  static FieldReader ofFrame(
      String what, MemorySegment memory, long offset, long header, int maxLength) {
    int length = FrameLayout.length(header);
    if (length < FrameLayout.HEADER_LENGTH || length > maxLength) {
      throw new ProtocolException(
          Reason.FRAME_LENGTH,
          what + " frame length out of range: length=" + length + " limit=" + maxLength);
    }
    byte[] body = new byte[length - FrameLayout.HEADER_LENGTH];
    MemorySegment.copy(
        memory, ValueLayout.JAVA_BYTE, offset + FrameLayout.HEADER_LENGTH, body, 0, body.length);
    return new FieldReader(what, ByteBuffer.wrap(body));
  }

  /** Reads a bare number of 1, 2, 4 or 8 bytes, outside any field; without sign up to 4 bytes. */
  long raw(int bytes) {
    if (in.remaining() < bytes) {
      throw new ProtocolException(
          Reason.FIELD_LENGTH, what + " ends too early: missing=" + (bytes - in.remaining()));
    }
    return switch (bytes) {
      case 1 -> in.get() & 0xFFL;
      case 2 -> in.getShort() & 0xFFFFL;
      case 4 -> in.getInt() & 0xFFFF_FFFFL;
      case 8 -> in.getLong();
      default -> throw new IllegalArgumentException("no number has this length: " + bytes);
    };
  }

  /** Goes to the next field; false at the end. The value must be read or skipped. */
  boolean next() {
    if (!in.hasRemaining()) {
      return false;
    }
    if (in.remaining() < HEAD_LENGTH) {
      throw new ProtocolException(
          Reason.FIELD_LENGTH, what + " ends within a field: remaining=" + in.remaining());
    }
    rawTag = in.getShort() & 0xFFFF;
    length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new ProtocolException(
          Reason.FIELD_LENGTH,
          what
              + " field ends after its frame: tag="
              + tag()
              + " length="
              + Integer.toUnsignedLong(length)
              + " remaining="
              + in.remaining());
    }
    return true;
  }

  /** Number of the current field, without the bit that makes it required. */
  int tag() {
    return rawTag & ~FieldWriter.REQUIRED;
  }

  /** Bytes of the current field's value. */
  int length() {
    return length;
  }

  /** Reads a field that holds one number of 1, 2, 4 or 8 bytes and may stand once. */
  long number(int tag, String name, int bytes) {
    checkOnce(tag, name, bytes);
    return raw(bytes);
  }

  /** Reads a field that holds one number in a range. */
  long number(int tag, String name, int bytes, long least, long most) {
    long value = number(tag, name, bytes);
    if (value < least || value > most) {
      throw new ProtocolException(
          Reason.VALUE,
          what
              + " value out of range: "
              + name
              + "="
              + value
              + " least="
              + least
              + " most="
              + most);
    }
    return value;
  }

  /** Reads a field that holds a node id. */
  int nodeId(int tag, String name) {
    return (int) number(tag, name, Short.BYTES);
  }

  /** Reads a field that holds text of a length in bytes, and may stand once. */
  String text(int tag, String name, int minLength, int maxLength) {
    checkOnce(tag, name);
    if (length < minLength) {
      throw new ProtocolException(Reason.TEXT, what + " text too short: name=" + name);
    }
    return Utf8.decode(value(), what + " " + name, maxLength);
  }

  /** Reads a field that holds bytes and may stand once. */
  byte[] bytes(int tag, String name, int maxLength) {
    checkOnce(tag, name);
    if (length > maxLength) {
      throw new ProtocolException(
          Reason.FIELD_LENGTH,
          what + " field too long: name=" + name + " length=" + length + " limit=" + maxLength);
    }
    byte[] value = new byte[length];
    in.get(value);
    return value;
  }

  /** Reads a field that holds fields and may stand many times. */
  FieldReader fields(String name) {
    return new FieldReader(name, value());
  }

  /** Skips a field of a later version, unless it must be understood. */
  void skipUnknown() {
    if ((rawTag & FieldWriter.REQUIRED) != 0) {
      throw new ProtocolException(
          Reason.FIELD_UNKNOWN,
          what + " demands a field that this version does not know: tag=" + tag());
    }
    in.position(in.position() + length);
  }

  /** Notes a field that may stand once and has a fixed length. */
  void checkOnce(int tag, String name, int expectedLength) {
    checkOnce(tag, name);
    if (length != expectedLength) {
      throw new ProtocolException(
          Reason.FIELD_LENGTH,
          what
              + " field has a wrong length: name="
              + name
              + " length="
              + length
              + " expected="
              + expectedLength);
    }
  }

  private void checkOnce(int tag, String name) {
    if ((seen & 1L << tag) != 0) {
      throw new ProtocolException(
          Reason.FIELD_DUPLICATE, what + " field stands twice: name=" + name + " tag=" + tag);
    }
    seen |= 1L << tag;
  }

  /** Complains if a field has not been there. */
  void require(int tag, String name) {
    if ((seen & 1L << tag) == 0) {
      throw new ProtocolException(
          Reason.FIELD_MISSING, what + " lacks a field: name=" + name + " tag=" + tag);
    }
  }

  /** The value of a field, if it has been there. */
  <T> T require(int tag, String name, @Nullable T value) {
    require(tag, name);
    return Objects.requireNonNull(value, name);
  }

  private ByteBuffer value() {
    ByteBuffer value = in.slice(in.position(), length);
    in.position(in.position() + length);
    return value;
  }
}
