package org.ringwire.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.ringwire.codec.runtime.Fixed;

/**
 * Strings as UTF-8, exact in both directions: half of a surrogate pair is refused by the writer,
 * malformed bytes by the reader; nothing is replaced silently. Stateless.
 */
final class Utf8 {
  private static final int ASCII_END = 0x80;
  private static final int TWO_BYTES_END = 0x800;
  private static final char REPLACEMENT = '\uFFFD';

  /** Above this many characters bytes are copied as blocks. */
  static final int BLOCKS_FROM = 96;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long NOT_ASCII = 0x8080808080808080L;

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

  /**
   * Writes a text one byte per character, and tells whether all of them were ASCII; if not, the
   * bytes are worth nothing.
   */
  static boolean tryWriteAscii(String text, MemorySegment memory, long offset) {
    int count = text.length();
    if (count < Long.BYTES) {
      return tryWriteShort(text, count, memory, offset);
    }
    long bits = 0;
    int last = count - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      bits |= writeWord(text, i, memory, offset + i);
    }
    bits |= writeWord(text, last, memory, offset + last); // may overlap the word before
    return bits < ASCII_END;
  }

  /** Writes eight characters as a word; returns all their bits. */
  private static int writeWord(String text, int i, MemorySegment memory, long offset) {
    int c0 = text.charAt(i);
    int c1 = text.charAt(i + 1);
    int c2 = text.charAt(i + 2);
    int c3 = text.charAt(i + 3);
    int c4 = text.charAt(i + 4);
    int c5 = text.charAt(i + 5);
    int c6 = text.charAt(i + 6);
    int c7 = text.charAt(i + 7);
    int low = c0 | (c1 << 8) | (c2 << 16) | (c3 << 24);
    int high = c4 | (c5 << 8) | (c6 << 16) | (c7 << 24);
    memory.set(Fixed.LONG, offset, (low & 0xffffffffL) | ((long) high << 32));
    return c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7;
  }

  private static boolean tryWriteShort(String text, int count, MemorySegment memory, long offset) {
    int bits = 0;
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) c);
      bits |= c;
    }
    return bits < ASCII_END;
  }

  /** The low bytes of all characters are what {@code getBytes} copies, without garbage. */
  @SuppressWarnings("deprecation")
  static void writeBlocks(String text, MemorySegment memory, long offset, byte[] scratch) {
    int count = text.length();
    for (int from = 0; from < count; from += scratch.length) {
      int to = Math.min(count, from + scratch.length);
      text.getBytes(from, to, scratch, 0);
      MemorySegment.copy(scratch, 0, memory, ValueLayout.JAVA_BYTE, offset + from, to - from);
    }
  }

  /** Writes a text of any characters; the room was checked for its {@link #length}. */
  static void writeMixed(String text, MemorySegment memory, long offset) {
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

  /**
   * Reads a string; throws if the bytes are not UTF-8. They are copied first, so that they are
   * checked and used in the same state.
   *
   * @param scratch room for {@code length} bytes
   */
  static String read(MemorySegment memory, long offset, byte[] scratch, int length) {
    long bits = NOT_ASCII;
    if (length >= BLOCKS_FROM) {
      MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, scratch, 0, length);
    } else if (length >= Long.BYTES) {
      bits = copyWords(memory, offset, scratch, length);
    } else {
      bits = copyBytes(memory, offset, scratch, length);
    }
    if ((bits & NOT_ASCII) == 0) {
      return new String(scratch, 0, length, StandardCharsets.ISO_8859_1);
    }
    String text = new String(scratch, 0, length, StandardCharsets.UTF_8);
    // Malformed bytes become U+FFFD; only a text that has one needs the slow look.
    return text.indexOf(REPLACEMENT) < 0 ? text : readStrictly(scratch, length);
  }

  private static long copyWords(MemorySegment memory, long offset, byte[] target, int length) {
    long bits = 0;
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      long word = memory.get(Fixed.LONG, offset + i);
      WORD.set(target, i, word);
      bits |= word;
    }
    long word = memory.get(Fixed.LONG, offset + last); // may overlap the word before
    WORD.set(target, last, word);
    return bits | word;
  }

  private static long copyBytes(MemorySegment memory, long offset, byte[] target, int length) {
    int bits = 0;
    for (int i = 0; i < length; i++) {
      byte b = memory.get(ValueLayout.JAVA_BYTE, offset + i);
      target[i] = b;
      bits |= b;
    }
    return bits & 0x80;
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
