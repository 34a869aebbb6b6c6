package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class WriterReaderTest {
  private final byte[] bytes = new byte[4096];
  private final Writer writer = new Writer();
  private final Reader reader = new Reader();

  private int write(Consumer<Writer> action) {
    writer.wrap(MemorySegment.ofArray(bytes), 1, bytes.length - 1L);
    action.accept(writer);
    int length = (int) writer.position() - 1;
    reader.wrap(MemorySegment.ofArray(bytes), 1, length);
    return length;
  }

  @Test
  void shouldWriteLittleEndianWithoutAlignment() {
    write(w -> {
      w.putByte((byte) 1);
      w.putShort((short) 0x0203);
      w.putInt(0x04050607);
      w.putLong(0x08090a0b0c0d0e0fL);
      w.putChar('\u1011');
      w.putBoolean(true);
      w.putFloat(1.5f);
      w.putDouble(-2.5);
    });
    assertThat(bytes).startsWith(0, 1, 3, 2, 7, 6, 5, 4, 15, 14, 13, 12, 11, 10, 9, 8, 0x11, 0x10);
    assertThat(reader.getByte()).isEqualTo((byte) 1);
    assertThat(reader.getShort()).isEqualTo((short) 0x0203);
    assertThat(reader.getInt()).isEqualTo(0x04050607);
    assertThat(reader.getLong()).isEqualTo(0x08090a0b0c0d0e0fL);
    assertThat(reader.getChar()).isEqualTo('\u1011');
    assertThat(reader.getBoolean()).isTrue();
    assertThat(reader.getFloat()).isEqualTo(1.5f);
    assertThat(reader.getDouble()).isEqualTo(-2.5);
    assertThat(reader.remaining()).isZero();
  }

  @Test
  void shouldAnnounceTheLengthOfCompactNumbers() {
    long[] seeds = {0, 1, -1, 63, 64, -64, -65, 127, 128, Long.MAX_VALUE, Long.MIN_VALUE};
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long value = i < seeds.length ? seeds[i] : random.nextLong() >> random.nextInt(64);
      int narrow = (int) value;
      assertThat(write(w -> w.putCompactLong(value))).isEqualTo(Lengths.ofCompactLong(value));
      assertThat(reader.getCompactLong()).isEqualTo(value);
      assertThat(write(w -> w.putCompactUnsignedLong(value)))
          .isEqualTo(Lengths.ofCompactUnsignedLong(value));
      assertThat(reader.getCompactUnsignedLong()).isEqualTo(value);
      assertThat(write(w -> w.putCompactInt(narrow))).isEqualTo(Lengths.ofCompactInt(narrow));
      assertThat(reader.getCompactInt()).isEqualTo(narrow);
      assertThat(write(w -> w.putCompactUnsignedInt(narrow)))
          .isEqualTo(Lengths.ofCompactUnsignedInt(narrow));
      assertThat(reader.getCompactUnsignedInt()).isEqualTo(narrow);
    }
    assertThat(Lengths.ofCompactInt(Integer.MIN_VALUE)).isEqualTo(5);
    assertThat(Lengths.ofCompactLong(Long.MIN_VALUE)).isEqualTo(10);
  }

  @Test
  void shouldRefuseCompactNumbersOutOfRangeOrTooLong() {
    assertMalformed(() -> Codecs.reader(0x80, 0x00).getCompactInt(), "shortest form");
    assertMalformed(
        () -> Codecs.reader(0xff, 0xff, 0xff, 0xff, 0x1f).getCompactInt(), "at most 32 bits");
    assertMalformed(
        () ->
            Codecs.reader(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02)
                .getCompactLong(),
        "at most 64 bits");
    assertMalformed(
        () ->
            Codecs.reader(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)
                .getCompactLong(),
        "at most 64 bits");
    assertMalformed(() -> Codecs.reader(0xff).getCompactLong(), "expected 1 more bytes, found 0");
  }

  @Test
  void shouldPassStringsOfEveryLengthUncut() {
    String alphabet = "aZ~\u007fäÿ\u0100ψ\u07ff\u0800€\uffff\ud83d\ude00\0";
    Random random = new Random(2);
    for (int length = 0; length < 300; length++) {
      checkText("x".repeat(length));
      checkText("ä".repeat(length));
      checkText("€".repeat(length));
      checkText("x".repeat(length) + "ü");
      checkText("€" + "y".repeat(length));
      StringBuilder mixed = new StringBuilder();
      for (int i = 0; i < length; i++) {
        int at = random.nextInt(alphabet.length());
        char c = alphabet.charAt(at);
        mixed.append(Character.isSurrogate(c) ? "\ud83d\ude00" : String.valueOf(c));
      }
      checkText(mixed.toString());
    }
    checkText("Grüße, 世界");
  }

  private void checkText(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int length = write(w -> w.putString(text));
    assertThat(length).as(text).isEqualTo(Lengths.ofString(text));
    assertThat(length).isEqualTo(Lengths.ofByteArray(utf8.length));
    byte[] written = new byte[utf8.length];
    System.arraycopy(bytes, 1 + length - utf8.length, written, 0, utf8.length);
    assertThat(written).as(text).isEqualTo(utf8);
    assertThat(reader.getString()).isEqualTo(text);
    assertThat(reader.remaining()).isZero();
  }

  @Test
  void shouldRefuseHalfOfASurrogatePair() {
    for (String text : new String[] {"\ud83d", "\ude00", "a\ud83d", "\ud83da", "\ude00\ud83d"}) {
      String longer = "long enough to be copied in blocks ".repeat(5) + text;
      assertThatThrownBy(() -> Lengths.ofString(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("surrogate");
      assertThatThrownBy(() -> write(w -> w.putString(text)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> write(w -> w.putString(longer)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void shouldRefuseMalformedUtf8() {
    int[][] malformed = {
      {0x80},
      {0xc3},
      {0xc0, 0x80},
      {0xe2, 0x82},
      {0xed, 0xa0, 0x80},
      {0xf5, 0x80, 0x80, 0x80},
      {0xff},
      {0x61, 0xff, 0x62},
      {0xf0, 0x80, 0x80, 0x80},
      {0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0xc3}
    };
    for (int[] text : malformed) {
      int[] message = new int[text.length + 1];
      message[0] = text.length + 1;
      System.arraycopy(text, 0, message, 1, text.length);
      assertMalformed(() -> Codecs.reader(message).getString(), "not UTF-8");
    }
    checkText("\ufffd is a character like any other");
  }

  @Test
  void shouldTellNullAndEmptyApart() {
    assertThat(write(w -> w.putNullableString(null)))
        .isEqualTo(1)
        .isEqualTo(Lengths.ofString(null));
    assertThat(reader.getNullableString()).isNull();
    assertMalformed(() -> Codecs.reader(0).getString(), "null where a string is required");
    assertMalformed(() -> Codecs.reader(0).getByteArray(), "null where a byte array is required");
    assertThat(Codecs.reader(1).getString()).isEmpty();
    assertThat(Codecs.reader(1).getByteArray()).isEmpty();
  }

  @Test
  void shouldRefuseLengthsThatTheMessageCannotHold() {
    int[] huge = {0xff, 0xff, 0xff, 0xff, 0x0f};
    assertMalformed(() -> Codecs.reader(huge).getString(), "string too long: found 4294967294");
    assertMalformed(() -> Codecs.reader(huge).getByteArray(), "byte array too long");
    assertMalformed(() -> Codecs.reader(huge).getCount(1), "count too large: found 4294967295");
    assertMalformed(() -> Codecs.reader(3, 0, 0, 0, 0).getCount(2), "count too large: found 3");
    assertThat(Codecs.reader(2, 0, 0, 0, 0).getCount(2)).isEqualTo(2);
    assertMalformed(() -> Codecs.reader(1).advance(-1), "message too short");
    assertMalformed(() -> Codecs.reader(1).advance(Long.MAX_VALUE), "message too short");
    assertMalformed(() -> Codecs.reader(2).getBoolean(), "expected 0 or 1, found 2");
  }

  /** Whatever the bytes are, so that who writes the codec finds it. */
  @Test
  void shouldRefuseToCountElementsThatTakeNoBytes() {
    for (int least : new int[] {0, -1}) {
      assertThatThrownBy(() -> Codecs.reader(0xff, 0xff, 0xff, 0xff, 0x06).getCount(least))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("minimumElementLength must be 1 or more: " + least);
      assertThatThrownBy(() -> Codecs.reader(0).getCount(least))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void shouldNotWriteBeyondTheLimit() {
    writer.wrap(MemorySegment.ofArray(bytes), 5, 3);
    assertThatThrownBy(() -> writer.putInt(1))
        .isInstanceOfSatisfying(
            WriterOverflowException.class,
            e -> {
              assertThat(e.requested()).isEqualTo(4);
              assertThat(e.available()).isEqualTo(3);
              assertThat(e.mayBeHandled()).isFalse();
            });
    assertThatThrownBy(() -> writer.putString("abc")).isInstanceOf(WriterOverflowException.class);
    assertThatThrownBy(() -> writer.putString("ä".repeat(3)))
        .isInstanceOf(WriterOverflowException.class);
    assertThatThrownBy(() -> writer.advance(-1)).isInstanceOf(WriterOverflowException.class);
    writer.wrap(MemorySegment.ofArray(bytes), 5, 3);
    writer.putString("ab");
    assertThat(writer.position()).isEqualTo(writer.limit()).isEqualTo(8);
    assertThatThrownBy(() -> writer.wrap(MemorySegment.ofArray(bytes), 1, bytes.length))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> reader.wrap(MemorySegment.ofArray(bytes), -1, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void shouldCopyBlocks() {
    int length =
        write(w -> {
          w.putBytes(new byte[] {9, 1, 2, 9}, 1, 2);
          w.putBytes(MemorySegment.ofArray(new byte[] {9, 3}), 1, 1);
          w.putBooleans(new boolean[] {true, false}, 0, 2);
          w.putShorts(new short[] {-1}, 0, 1);
          w.putChars(new char[] {'x'}, 0, 1);
          w.putInts(new int[] {1, -2, 3}, 1, 2);
          w.putLongs(new long[] {-4}, 0, 1);
          w.putFloats(new float[] {5}, 0, 1);
          w.putDoubles(new double[] {6}, 0, 1);
          w.putByteArray(new byte[] {7, 8});
        });
    assertThat(length).isEqualTo(3 + 2 + 2 + 2 + 8 + 8 + 4 + 8 + 3);
    byte[] two = new byte[2];
    reader.getBytes(two, 0, 2);
    assertThat(two).containsExactly(1, 2);
    reader.getBytes(MemorySegment.ofArray(two), 1, 1);
    assertThat(two).containsExactly(1, 3);
    boolean[] flags = new boolean[3];
    reader.getBooleans(flags, 1, 2);
    assertThat(flags).containsExactly(false, true, false);
    short[] shorts = new short[1];
    reader.getShorts(shorts, 0, 1);
    assertThat(shorts).containsExactly(-1);
    char[] chars = new char[1];
    reader.getChars(chars, 0, 1);
    assertThat(chars).containsExactly('x');
    int[] ints = new int[2];
    reader.getInts(ints, 0, 2);
    assertThat(ints).containsExactly(-2, 3);
    long[] longs = new long[1];
    reader.getLongs(longs, 0, 1);
    assertThat(longs).containsExactly(-4);
    float[] floats = new float[1];
    reader.getFloats(floats, 0, 1);
    assertThat(floats).containsExactly(5);
    double[] doubles = new double[1];
    reader.getDoubles(doubles, 0, 1);
    assertThat(doubles).containsExactly(6);
    assertThat(reader.getByteArray()).containsExactly(7, 8);
    assertThat(reader.remaining()).isZero();
  }

  @Test
  void shouldViewInPlaceOrCopy() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(8);
      memory.set(ValueLayout.JAVA_BYTE, 2, (byte) 42);
      reader.wrap(memory, 2, 4);
      MemorySegment view = reader.view(1);
      reader.wrap(memory, 2, 4);
      reader.copyViews(true);
      MemorySegment copy = reader.view(1);
      assertThat(reader.copiesViews()).isTrue();
      memory.set(ValueLayout.JAVA_BYTE, 2, (byte) 43);

      assertThat(view.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 43);
      assertThat(copy.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 42);
      assertThat(view.isReadOnly()).isTrue();
      assertThat(copy.isReadOnly()).isTrue();
      assertThat(view.byteSize()).isEqualTo(1);
      assertMalformed(() -> reader.view(4), "expected 4 more bytes, found 3");
      assertMalformed(() -> reader.view(-1), "message too short");
    }
  }

  private static void assertMalformed(Runnable read, String message) {
    assertThatThrownBy(read::run)
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining(message);
  }
}
