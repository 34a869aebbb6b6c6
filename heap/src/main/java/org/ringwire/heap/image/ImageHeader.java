package org.ringwire.heap.image;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.shape.Tags;

/**
 * What stands before the objects of an image, as a reader sees it: nothing of it is believed before
 * it was compared with what is there and what is allowed. Not read through a layout, whose first
 * use takes longer than the first graph of a JVM.
 */
public final class ImageHeader {
  // Magic, version, flags (4 bytes), objects (4 bytes), length with the header (8 bytes).
  public static final int HEADER_LENGTH = 16;
  static final int MAGIC = 0x4852; // "RH"
  static final int VERSION = 1;
  static final int TRACKED = 1;

  /** An image in blocks, without number of objects and length in its header. */
  static final int STREAMED = 2;

  /** Graphs up to {@link Tags#END}, of an image in blocks. */
  static final int MANY = 4;

  static final int STREAM_HEADER_LENGTH = 4;
  static final int FLAGS_OFFSET = 3;
  static final int OBJECTS_OFFSET = 4;
  static final int LENGTH_OFFSET = 8;

  private ImageHeader() {}

  /** Refuses what is too short for an image. */
  static void require(long available) {
    if (available < HEADER_LENGTH) {
      throw new DecodingException(
          "too short for an image: bytes=" + available + " expected at least=" + HEADER_LENGTH);
    }
  }

  /**
   * Bytes of the image, this header included.
   *
   * @param header where it begins, in memory that nobody can free
   * @param available bytes there are of the image, and behind it
   */
  static long length(long header, long available, Limits limits) {
    require(available);
    checkFront(UNSAFE.getInt(header));
    long length = check(UNSAFE.getLong(header + LENGTH_OFFSET), limits);
    if (length > available) {
      throw new DecodingException(
          "the image is cut short: length=" + length + " bytes here=" + available);
    }
    return length;
  }

  /**
   * The same of an image whose other bytes are not here yet.
   *
   * @param header {@link #HEADER_LENGTH} bytes
   */
  public static long length(byte[] header, Limits limits) {
    ByteBuffer bytes = ByteBuffer.wrap(header).order(ByteOrder.nativeOrder());
    checkFront(bytes.getInt(0));
    return check(bytes.getLong(LENGTH_OFFSET), limits);
  }

  private static long check(long length, Limits limits) {
    if (length < HEADER_LENGTH) {
      throw new DecodingException("the header of an image is damaged: length=" + length);
    }
    if (length > limits.bytes()) {
      throw new DecodingException(
          "the image is too long: length=" + length + " limit of bytes=" + limits.bytes());
    }
    return length;
  }

  /**
   * Objects that the image says it has.
   *
   * @param left bytes behind the header; an object takes one at least
   */
  static int objects(long header, long left, Limits limits) {
    int promised = UNSAFE.getInt(header + OBJECTS_OFFSET);
    if (promised < 0 || promised > limits.objects() || promised > left) {
      throw new DecodingException(
          "too many objects: announced=" + promised + " limit of objects=" + limits.objects());
    }
    return promised;
  }

  /** The flags of a whole image. */
  static int flags(long header) {
    int flags = anyFlags(header);
    if ((flags & ~TRACKED) != 0) {
      throw new DecodingException("unknown flags of an image: flags=" + flags);
    }
    return flags;
  }

  /** The flags of an image that comes in blocks. */
  static int streamFlags(long header) {
    int flags = anyFlags(header);
    if ((flags & ~(TRACKED | MANY)) != STREAMED) {
      throw new DecodingException("unknown flags of an image in blocks: flags=" + flags);
    }
    return flags;
  }

  private static int anyFlags(long header) {
    return checkFront(UNSAFE.getInt(header)) >>> (Byte.SIZE * FLAGS_OFFSET);
  }

  private static int checkFront(int front) {
    if ((front & 0xffff) != MAGIC) {
      throw new DecodingException("these bytes are no image: they begin with " + hex(front));
    }
    int version = front >>> 16 & 0xff;
    if (version != VERSION) {
      throw new DecodingException(
          "an image of another version: version=" + version + " expected=" + VERSION);
    }
    return front;
  }

  private static String hex(int front) {
    return "0x" + HexFormat.of().toHexDigits(Integer.reverseBytes(front));
  }
}
