package org.ringwire.heap.image;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.shape.Tags;

/**
 * What stands before the objects of an image, as a reader sees it: nothing of it is believed before
 * it was compared with what is there and what is allowed. Not read through a layout, whose first
 * use takes longer than the first graph of a JVM.
 */
final class ImageHeader {
  // Magic, version, flags (4 bytes), objects (4 bytes), length with the header (8 bytes).
  static final int HEADER_LENGTH = 16;
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
      throw new DecodingException("no image: bytes=" + available);
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
    long length = UNSAFE.getLong(header + LENGTH_OFFSET);
    if (length < HEADER_LENGTH || length > available) {
      throw new DecodingException("no such image: length=" + length + " bytes=" + available);
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
    int front = UNSAFE.getInt(header);
    if ((front & 0xffff) != MAGIC || (front >>> 16 & 0xff) != VERSION) {
      throw new DecodingException("not an image of this version: front=" + front);
    }
    return front >>> (Byte.SIZE * FLAGS_OFFSET);
  }
}
