package org.ringwire.wire;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;

/** Makes the bytes of a link, frame by frame. */
public final class FrameStream {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int count;

  /** One frame with its padding. */
  public static byte[] frame(int kind, int type, byte[] body) {
    int length = FrameLayout.HEADER_LENGTH + body.length;
    return ByteBuffer.allocate((int) FrameLayout.occupied(length))
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(FrameLayout.header(kind, type, length))
        .put(body)
        .array();
  }

  /** Eight bytes of a header that may be wrong. */
  public static byte[] header(long header) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(header).array();
  }

  /** Adds a message whose body has a length and a content that depends on its place. */
  public FrameStream message(int bodyLength) {
    return add(frame(FrameLayout.MESSAGE, count & 0xFFFF, body(count, bodyLength)));
  }

  /** Adds bytes. */
  public FrameStream add(byte[] frame) {
    bytes.writeBytes(frame);
    count++;
    return this;
  }

  /** Adds messages of random lengths, most of them short. */
  public FrameStream messages(RandomGenerator random, int frames, int maxBodyLength) {
    for (int i = 0; i < frames; i++) {
      int bound = random.nextInt(4) == 0 ? maxBodyLength : Math.min(maxBodyLength, 100);
      message(random.nextInt(bound + 1));
    }
    return this;
  }

  public static byte[] body(int index, int length) {
    byte[] body = new byte[length];
    for (int i = 0; i < length; i++) {
      body[i] = (byte) (index * 31 + i + 1);
    }
    return body;
  }

  public byte[] bytes() {
    return bytes.toByteArray();
  }

  public int count() {
    return count;
  }

  public MemorySegment segment() {
    return MemorySegment.ofArray(bytes());
  }
}
