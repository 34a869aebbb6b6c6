package org.ringwire.heap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Changes images, as a sender of other classes or a hostile one would make them. */
final class Images {
  private static final int OBJECTS_OFFSET = 4;
  private static final int LENGTH_OFFSET = 8;

  private Images() {}

  /** Replaces a text within a length-prefixed one, the length of which is corrected. */
  static byte[] replace(byte[] image, String old, String other) {
    String text = new String(image, StandardCharsets.ISO_8859_1);
    int at = text.indexOf(old);
    if (at < 0) {
      throw new AssertionError("not in the image: " + old);
    }
    byte[] changed =
        (text.substring(0, at) + other + text.substring(at + old.length()))
            .getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer view = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
    view.putLong(LENGTH_OFFSET, changed.length);
    int front = lengthBefore(view, at, old.length());
    view.putInt(front, view.getInt(front) + other.length() - old.length());
    return changed;
  }

  /** Where the length is in which the text lies. */
  private static int lengthBefore(ByteBuffer view, int at, int length) {
    for (int front = at - Integer.BYTES; front >= 16; front--) {
      int value = view.getInt(front);
      if (value >= at - front - Integer.BYTES + length && value < 1000) {
        return front;
      }
    }
    throw new AssertionError("no length before the text");
  }

  static void setLength(byte[] image) {
    ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).putLong(LENGTH_OFFSET, image.length);
  }

  static void addObjects(byte[] image, int more) {
    ByteBuffer view = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    view.putInt(OBJECTS_OFFSET, view.getInt(OBJECTS_OFFSET) + more);
  }
}
