package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.EncodingException;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.Samples.Pair;
import org.ringwire.heap.Samples.Point;
import org.ringwire.heap.Samples.Wide;
import org.ringwire.heap.image.Encoder;
import org.ringwire.heap.image.classes.DeclaredClasses;
import org.ringwire.testing.NodeWatcher;

/** A graph may have as many bytes as the limit says and not one more, whatever it ends with. */
@ExtendWith(NodeWatcher.class)
class ExactLimitTest {
  private static final int BLOCK = 4096;

  /** Where an encoder's first memory ends, and so where it first looks at the limit. */
  private static final int FIRST_ROOM = 16 * 1024;

  private static final int STEP = 7;
  private static final int LONG_TEXT = 20_000;

  /** What ends with less than might have come. */
  private static List<Object[]> ends() {
    Point[] sparse = new Point[40];
    sparse[0] = new Point(1, 2);
    Point[] full = new Point[40];
    for (int i = 0; i < full.length; i++) {
      full[i] = new Point(i, i);
    }
    Wide wide = new Wide();
    Object numbers = new long[3000];
    Object text = "x".repeat(LONG_TEXT);
    return List.of(
        new Object[] {sparse},
        new Object[] {full},
        new Object[] {new Pair[] {new Pair(1, "one"), new Pair(2, "two")}},
        new Object[] {wide, wide},
        new Object[] {numbers, text, numbers, text},
        new Object[] {"end"},
        new Object[] {1, null});
  }

  /** The ends, before and behind the end of the first memory. */
  private static List<Object[]> graphs() {
    List<Object[]> graphs = new ArrayList<>();
    for (Object[] end : ends()) {
      for (int before = FIRST_ROOM - 500; before < FIRST_ROOM; before += STEP) {
        graphs.add(new Object[] {new byte[before], end});
      }
    }
    return graphs;
  }

  private static HeapCodec codec(boolean detects, long maxBytes) {
    return HeapCodec.builder().detectCycles(detects).maxBytes(maxBytes).build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldMeetTheLimitToTheByteInOnePiece(boolean detects) {
    HeapCodec unlimited = codec(detects, 1L << 30);
    for (Object[] graph : graphs()) {
      byte[] image = unlimited.encode(graph);
      assertThat(codec(detects, image.length).encode(graph)).isEqualTo(image);
      HeapCodec narrow = codec(detects, image.length - 1);
      assertThatThrownBy(() -> narrow.encode(graph))
          .isInstanceOf(EncodingException.class)
          .hasMessageContaining("limit of bytes=" + (image.length - 1));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldMeetTheLimitToTheByteInBlocks(boolean detects) {
    for (Object[] graph : graphs()) {
      long length = streamed(graph, detects, 1L << 30);
      assertThat(streamed(graph, detects, length)).isEqualTo(length);
      assertThatThrownBy(() -> streamed(graph, detects, length - 1))
          .isInstanceOf(EncodingException.class)
          .hasMessageContaining("limit of bytes=" + (length - 1));
    }
  }

  /** Bytes of all blocks, which are looked at one by one: none may be beyond the limit. */
  private static long streamed(Object graph, boolean detects, long maxBytes) {
    Encoder encoder = codec(detects, maxBytes).channelEncoder(new DeclaredClasses());
    long[] length = new long[1];
    encoder.stream(
        graph,
        BLOCK,
        (head, body, isLast) -> {
          length[0] += head.byteSize() + (body == null ? 0 : body.byteSize());
          assertThat(length[0]).isLessThanOrEqualTo(maxBytes);
        });
    return length[0];
  }

  enum Wind {
    NORTH_NORTH_WEST
  }

  static Stream<Arguments> ofLength() {
    EnumMap<Wind, Integer> constants = new EnumMap<>(Map.of(Wind.NORTH_NORTH_WEST, 1));
    return Stream.of(
        Arguments.of(0, Wind.NORTH_NORTH_WEST),
        Arguments.of(0, BitSet.valueOf(new long[] {5})),
        Arguments.of(0, new BigInteger("12345678901234567890")),
        Arguments.of(0, List.class),
        Arguments.of(0, new TreeSet<>()),
        Arguments.of(3, new ArrayList<>(List.of(1, 2, 3))),
        Arguments.of(3, new TreeSet<>(Set.of(1, 2, 3))),
        Arguments.of(3, new PriorityQueue<>(List.of(1, 2, 3))),
        Arguments.of(2, new TreeMap<>(Map.of(1, 2))),
        Arguments.of(2, constants),
        Arguments.of(1, Collections.synchronizedList(new ArrayList<>(List.of(1)))),
        Arguments.of(1, Collections.synchronizedSortedSet(new TreeSet<>(Set.of(1)))),
        Arguments.of(1, Collections.unmodifiableList(new ArrayList<>(List.of(1)))));
  }

  /** It is a limit of what is in arrays and collections, and of nothing else. */
  @ParameterizedTest
  @MethodSource("ofLength")
  void shouldMeetTheLimitOfElements(int length, Object object) {
    HeapCodec.Builder builder = HeapCodec.builder().acceptPackage("org.ringwire.heap");
    byte[] image = builder.build().encode(object);

    assertThat(Graphs.difference(object, builder.maxArrayLength(length).build().decode(image)))
        .isNull();
    if (length > 0) {
      HeapCodec narrow = builder.maxArrayLength(length - 1).build();
      assertThatThrownBy(() -> narrow.decode(image))
          .isInstanceOf(DecodingException.class)
          .hasMessageContaining("limit of array length=" + (length - 1));
    }
  }
}
