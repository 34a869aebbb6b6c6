package org.ringwire.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.ringwire.codec.generate.Fixed;

/**
 * Strings as UTF-8, exact in both directions: half of a surrogate pair is refused by the writer,
 * malformed bytes by the reader; nothing is replaced silently. Stateless.
 */
final class Utf8 {
  private static final int ASCII_END = 0x80;
  private static final int TWO_BYTES_END = 0x800;
  private static final char REPLACEMENT = '\uFFFD';

  /** Above this many characters the bytes of an ASCII string are copied as one block. */
  private static final int BLOCK_COPY_FROM = 64;

  private Utf8() {}

  /** Bytes that the text needs; throws IllegalArgumentException for an unpaired surrogate. */
  static int length(String text) {
    int count = text.length();
    int bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= text.charAt(i);
    }
    return bits < ASCII_END ? count : lengthOfMixed(text);
  }

  private static int lengthOfMixed(String text) {
    int count = text.length();
    long length = count;
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      if (c >= TWO_BYTES_END) {
        length += 2;
        if (Character.isSurrogate(c)) {
          requirePair(text, i);
          i++; // 2 characters become 4 bytes
        }
      } else if (c >= ASCII_END) {
        length++;
      }
    }
    if (length > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("string too long: utf8Length=" + length);
    }
    return (int) length;
  }

  private static void requirePair(String text, int index) {
    boolean paired =
        Character.isHighSurrogate(text.charAt(index))
            && index + 1 < text.length()
            && Character.isLowSurrogate(text.charAt(index + 1));
    if (!paired) {
      throw new IllegalArgumentException(
          "string with half of a surrogate pair cannot be encoded: index=" + index);
    }
  }

  /** Writes a text whose {@link #length} was checked to fit; {@code length} is that length. */
  static void write(String text, int length, MemorySegment memory, long offset, Writer writer) {
    int count = text.length();
    if (length != count) {
      writeMixed(text, memory, offset);
    } else if (count >= BLOCK_COPY_FROM) {
      writeBlocks(text, memory, offset, writer.scratch());
    } else {
      writeAscii(text, memory, offset);
    }
  }

  private static void writeAscii(String text, MemorySegment memory, long offset) {
    int count = text.length();
    int i = 0;
    for (; i + Long.BYTES <= count; i += Long.BYTES) {
      int low =
          text.charAt(i)
              | (text.charAt(i + 1) << 8)
              | (text.charAt(i + 2) << 16)
              | (text.charAt(i + 3) << 24);
      int high =
          text.charAt(i + 4)
              | (text.charAt(i + 5) << 8)
              | (text.charAt(i + 6) << 16)
              | (text.charAt(i + 7) << 24);
      memory.set(Fixed.LONG, offset + i, low | ((long) high << 32));
    }
    for (; i < count; i++) {
      memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) text.charAt(i));
    }
  }

  /** The low bytes of all characters are what {@code getBytes} copies, without garbage. */
  @SuppressWarnings("deprecation")
  private static void writeBlocks(String text, MemorySegment memory, long offset, byte[] scratch) {
    int count = text.length();
    for (int from = 0; from < count; from += scratch.length) {
      int to = Math.min(count, from + scratch.length);
      text.getBytes(from, to, scratch, 0);
      MemorySegment.copy(scratch, 0, memory, ValueLayout.JAVA_BYTE, offset + from, to - from);
    }
  }

  private static void writeMixed(String text, MemorySegment memory, long offset) {
    long at = offset;
    int count = text.length();
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      if (c < ASCII_END) {
        memory.set(ValueLayout.JAVA_BYTE, at++, (byte) c);
      } else if (c < TWO_BYTES_END) {
        memory.set(ValueLayout.JAVA_BYTE, at++, (byte) (0xc0 | (c >> 6)));
        memory.set(ValueLayout.JAVA_BYTE, at++, continuation(c));
      } else if (Character.isSurrogate(c)) {
        int point = Character.toCodePoint(c, text.charAt(++i));
        memory.set(ValueLayout.JAVA_BYTE, at++, (byte) (0xf0 | (point >> 18)));
        memory.set(ValueLayout.JAVA_BYTE, at++, continuation(point >> 12));
        memory.set(ValueLayout.JAVA_BYTE, at++, continuation(point >> 6));
        memory.set(ValueLayout.JAVA_BYTE, at++, continuation(point));
      } else {
        memory.set(ValueLayout.JAVA_BYTE, at++, (byte) (0xe0 | (c >> 12)));
        memory.set(ValueLayout.JAVA_BYTE, at++, continuation(c >> 6));
        memory.set(ValueLayout.JAVA_BYTE, at++, continuation(c));
      }
    }
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3f));
  }

  /** The string that the first {@code length} bytes mean; throws if they are not UTF-8. */
  static String read(byte[] bytes, int length) {
    String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
    // Malformed bytes become U+FFFD; only a text that has one needs the slow look.
    return text.indexOf(REPLACEMENT) < 0 ? text : readStrictly(bytes, length);
  }

  private static String readStrictly(byte[] bytes, int length) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw new DecodingException("string is not UTF-8: length=" + length, e);
    }
  }
}
