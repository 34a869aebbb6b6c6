package org.ringwire.wire;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;

/** Makes the bytes of a link, frame by frame. */
final class FrameStream {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int count;

  /** One frame with its padding. */
  static byte[] frame(int kind, int type, byte[] body) {
    int length = FrameLayout.HEADER_LENGTH + body.length;
    return ByteBuffer.allocate((int) FrameLayout.occupied(length))
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(FrameLayout.header(kind, type, length))
        .put(body)
        .array();
  }

  /** Eight bytes of a header that may be wrong. */
  static byte[] header(long header) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(header).array();
  }

  /** Adds a message whose body has a length and a content that depends on its place. */
  FrameStream message(int bodyLength) {
    return add(frame(FrameLayout.MESSAGE, count & 0xFFFF, body(count, bodyLength)));
  }

  /** Adds bytes. */
  FrameStream add(byte[] frame) {
    bytes.writeBytes(frame);
    count++;
    return this;
  }

  /** Adds messages of random lengths, most of them short. */
  FrameStream messages(RandomGenerator random, int frames, int maxBodyLength) {
    for (int i = 0; i < frames; i++) {
      int bound = random.nextInt(4) == 0 ? maxBodyLength : Math.min(maxBodyLength, 100);
      message(random.nextInt(bound + 1));
    }
    return this;
  }

  static byte[] body(int index, int length) {
    byte[] body = new byte[length];
    for (int i = 0; i < length; i++) {
      body[i] = (byte) (index * 31 + i + 1);
    }
    return body;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  int count() {
    return count;
  }

  MemorySegment segment() {
    return MemorySegment.ofArray(bytes());
  }
}
