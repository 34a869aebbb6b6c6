package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.Samples.Colour;
import org.ringwire.testing.NodeWatcher;

/** Images that announce more than they have, or other objects than an array can hold. */
@ExtendWith(NodeWatcher.class)
class HostileSizesTest {
  private static final int LENGTH = 1 << 18;
  private static final int NESTS = 90;
  private static final byte OBJECT_ARRAY = 34;
  private static final byte ARRAY_LIST = 64;

  private static final HeapCodec PLAIN = HeapCodec.builder().detectCycles(false).build();

  private final HeapCodec codec =
      HeapCodec.builder()
          .acceptPackage("org.ringwire.heap")
          .accept(Character.UnicodeScript.class)
          .build();

  /** Zeros behind the header of an image without back-references. */
  private static byte[] image(int bytes, long length) {
    byte[] image = Arrays.copyOf(PLAIN.encode(null), 16);
    ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).putLong(8, length);
    return Arrays.copyOf(image, bytes);
  }

  @Test
  void shouldNotAllocateForNestsThatAnImageHasNoBytesFor() {
    for (byte tag : new byte[] {OBJECT_ARRAY, ARRAY_LIST}) {
      byte[] image = image(LENGTH, LENGTH);
      ByteBuffer body = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).position(16);
      for (int i = 0; i < NESTS; i++) {
        body.put(tag).putInt(LENGTH - 2000);
        if (tag == ARRAY_LIST) {
          body.putInt(0);
        }
      }

      assertThatThrownBy(() -> codec.decode(image))
          .isInstanceOf(DecodingException.class)
          .hasMessageContaining("too many elements announced");
    }
  }

  @Test
  void shouldReadNoMoreOfAStreamThanTheLimit() throws IOException {
    HeapCodec narrow = HeapCodec.builder().maxBytes(1 << 20).build();
    byte[] front = image(16, 1 << 26);
    InputStream zeros =
        new SequenceInputStream(
            new ByteArrayInputStream(front), new ByteArrayInputStream(new byte[100]));

    assertThatThrownBy(() -> narrow.decode(zeros))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("limit of bytes");
    assertThat(zeros.readAllBytes()).hasSize(100);
  }

  private static Object arrayOf(Object element) {
    Object array = Array.newInstance(element.getClass(), 1);
    Array.set(array, 0, element);
    return array;
  }

  static Stream<Object> arrivingAsAnotherClass() {
    return Stream.of(List.of("a"), Set.of("a"), Map.of("a", "b"));
  }

  @ParameterizedTest
  @MethodSource("arrivingAsAnotherClass")
  void shouldStoreNothingInAnArrayThatItCannotHold(Object element) {
    Object array = arrayOf(element);
    for (boolean detects : new boolean[] {false, true}) {
      byte[] image = HeapCodec.builder().detectCycles(detects).build().encode(array);

      assertThatThrownBy(() -> codec.decode(image))
          .isInstanceOf(DecodingException.class)
          .hasMessageContaining("an array cannot hold");
    }
  }

  @Test
  void shouldMakeNoClassesForArraysOfManyDimensions() {
    Object most = Array.newInstance(UUID.class, new int[8]);
    byte[] image8 = codec.encode(most);
    byte[] image = Images.replace(image8, "[Ljava.util.UUID;", "[[Ljava.util.Map;");

    assertThat(codec.decode(image8)).isEqualTo(most);
    assertThatThrownBy(() -> codec.decode(image))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("too many dimensions");
  }

  @Test
  void shouldStoreNoOffsetInAnArrayOfRegions() {
    byte[] image = codec.encode(arrayOf(ZoneId.of("Zulu")));
    byte[] other = Images.replace(image, "Z\0u\0l\0u\0", "+\0" + "0\0" + "1\0");

    assertThatThrownBy(() -> codec.decode(other)).isInstanceOf(DecodingException.class);
  }

  @Test
  void shouldStoreNoOtherSingletonInAnArray() {
    byte[] image = codec.encode(arrayOf(String.CASE_INSENSITIVE_ORDER));
    assertThat(codec.decode(image)).isInstanceOf(Object[].class);
    image[image.length - 1] = 3;

    assertThatThrownBy(() -> codec.decode(image)).isInstanceOf(DecodingException.class);
  }

  @Test
  void shouldStoreNoLargeSetInAnArrayOfSmallOnes() {
    Object array = arrayOf(EnumSet.noneOf(Colour.class));
    byte[] image = codec.encode(array);
    byte[] other =
        Images.replace(image, Colour.class.getName(), "java.lang.Character$UnicodeScript");

    assertThat(codec.decode(image)).isEqualTo(array);
    assertThatThrownBy(() -> codec.decode(other)).isInstanceOf(DecodingException.class);
  }
}
