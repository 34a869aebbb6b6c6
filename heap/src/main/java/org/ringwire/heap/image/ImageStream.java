package org.ringwire.heap.image;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import org.ringwire.codec.DecodingException;

/**
 * Images in a stream of bytes, one behind the other: written in pieces, so that none needs an array
 * of its length, and read to their last byte and no further, since what follows is another's.
 */
public final class ImageStream {
  private static final int MOST_IN_ARRAY = Integer.MAX_VALUE - 8;
  private static final int BLOCK = 64 * 1024;

  private ImageStream() {}

  /**
   * Writes an image.
   *
   * @param target is not closed, and not flushed
   */
  public static void write(MemorySegment image, OutputStream target) throws IOException {
    byte[] block = new byte[(int) Math.min(BLOCK, image.byteSize())];
    MemorySegment copy = MemorySegment.ofArray(block);
    for (long at = 0; at < image.byteSize(); at += block.length) {
      int length = (int) Math.min(block.length, image.byteSize() - at);
      MemorySegment.copy(image, at, copy, 0, length);
      target.write(block, 0, length);
    }
  }

  /**
   * Reads the next image, whose length is believed within limits only as its bytes arrive.
   *
   * @param source not closed
   * @throws EOFException if the stream has no more images, or ends within one
   * @throws DecodingException if that is no image, or is too long
   */
  public static byte[] read(InputStream source, Limits limits) throws IOException {
    int frontLength = ImageHeader.HEADER_LENGTH;
    byte[] front = source.readNBytes(frontLength);
    if (front.length < frontLength) {
      throw new EOFException(
          front.length == 0
              ? "the stream has no more images"
              : "the stream ends within the header of an image");
    }
    long length = ImageHeader.length(front, limits);
    if (length > MOST_IN_ARRAY) {
      throw new DecodingException("the image is too long for a stream: length=" + length);
    }
    byte[] rest = source.readNBytes((int) length - frontLength); // grows with what arrives
    if (rest.length < length - frontLength) {
      throw new EOFException("the stream ends within an image: bytes left=" + rest.length);
    }
    byte[] image = new byte[(int) length];
    System.arraycopy(front, 0, image, 0, frontLength);
    System.arraycopy(rest, 0, image, frontLength, rest.length);
    return image;
  }
}
