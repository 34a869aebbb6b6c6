package org.ringwire.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes a frame of fields into a growing array. One thread. */
final class FieldWriter {

  /** The bit of a tag that makes a field one that the receiver must understand. */
  static final int REQUIRED = 0x8000;

  private ByteBuffer out;

  /** A writer of a frame that may become long. */
  FieldWriter() {
    this(512);
  }

  /** Leaves room for the header, which comes last; grows when a frame gets longer than this. */
  FieldWriter(int length) {
    out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    out.position(FrameLayout.HEADER_LENGTH);
  }

  /** Writes a bare number of 1, 2, 4 or 8 bytes, outside any field. */
  FieldWriter raw(int length, long value) {
    ensure(length);
    switch (length) {
      case 1 -> out.put((byte) value);
      case 2 -> out.putShort((short) value);
      case 4 -> out.putInt((int) value);
      case 8 -> out.putLong(value);
      default -> throw new IllegalArgumentException("no number has this length: " + length);
    }
    return this;
  }

  /** Writes a field that holds one number of 1, 2, 4 or 8 bytes. */
  FieldWriter number(int tag, int length, long value) {
    return head(tag, length).raw(length, value);
  }

  /** Writes a field that holds text. */
  FieldWriter text(int tag, String value) {
    return bytes(tag, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a field that holds bytes. */
  FieldWriter bytes(int tag, byte[] value) {
    return head(tag, value.length).plain(value);
  }

  /** Writes bytes outside any field. */
  FieldWriter plain(byte[] value) {
    ensure(value.length);
    out.put(value);
    return this;
  }

  /** Writes tag and length of a field whose value the caller writes next. */
  FieldWriter head(int tag, int length) {
    return raw(2, tag).raw(4, length);
  }

  /** Puts the header in front; returns the frame with its padding, a multiple of 8 bytes. */
  byte[] frame(int kind, int type, int maxLength) {
    int length = out.position();
    if (length > maxLength) {
      throw new IllegalArgumentException(
          "frame too long: length=" + length + " limit=" + maxLength + " kind=" + kind);
    }
    out.putLong(0, FrameLayout.header(kind, type, length));
    return Arrays.copyOf(out.array(), (int) FrameLayout.occupied(length));
  }

  private void ensure(int length) {
    if (out.remaining() < length) {
      int capacity = Math.max(out.capacity() * 2, out.position() + length);
      out = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(out.flip());
    }
  }
}
