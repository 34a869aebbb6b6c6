package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.heap.Samples.AllWidths;
import org.ringwire.heap.Samples.Colour;
import org.ringwire.heap.Samples.Node;
import org.ringwire.heap.Samples.Pair;
import org.ringwire.heap.Samples.Person;
import org.ringwire.heap.Samples.Point;
import org.ringwire.heap.Samples.Wide;
import org.ringwire.testing.NodeWatcher;

/** What arrives is what was sent. */
@ExtendWith(NodeWatcher.class)
@SuppressWarnings({"JavaUtilDate", "ReferenceEquality", "exports"})
class HeapCodecTest {
  static final HeapCodec CODEC = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();

  static @Nullable Object copy(@Nullable Object graph) {
    return CODEC.decode(CODEC.encode(graph));
  }

  private static void assertCopied(@Nullable Object graph) {
    assertThat(Graphs.difference(graph, copy(graph))).isNull();
  }

  static Stream<Object> values() {
    return Stream.of(
        "",
        "plain",
        "caf\u00e9 at a table for two",
        "\u20ac and \ud83d\ude00",
        "x".repeat(100_000),
        1,
        2L,
        (short) 3,
        (byte) 4,
        'c',
        true,
        1.5f,
        -0.0,
        BigInteger.TWO.pow(200).negate(),
        new BigDecimal("-12.340"),
        URI.create("http://example.com/a?b#c"),
        Locale.CANADA_FRENCH,
        ZoneOffset.ofHours(3),
        ZoneId.of("Europe/Berlin"),
        UUID.randomUUID(),
        Duration.ofMillis(1234),
        LocalDateTime.of(2026, 11, 22, 10, 30),
        ZonedDateTime.of(2026, 11, 22, 10, 30, 0, 0, ZoneId.of("Asia/Tokyo")),
        new Date(1234567),
        Optional.of("value"),
        StandardCharsets.UTF_16,
        Colour.RED,
        Colour.GREEN,
        String.class,
        int.class,
        long[][].class,
        Person.class,
        String.CASE_INSENSITIVE_ORDER);
  }

  @ParameterizedTest
  @MethodSource("values")
  void shouldCopyValues(Object value) {
    assertThat(copy(value)).isEqualTo(value).hasSameClassAs(value);
  }

  static Stream<Arguments> graphs() {
    return Stream.<Object>of(
            new Object(),
            new Point(1, 2.5f),
            new Pair(3, "words"),
            new Pair[] {new Pair(1, ""), null, new Pair(2, "a rather long word")},
            new AllWidths(-1, "x"),
            new AllWidths[] {new AllWidths(77, null)},
            new Person("Ada", 36, null, List.of("a")),
            new Wide(),
            new Object[0],
            new String[] {"a", null, "\u20ac"},
            new boolean[] {true, false, true},
            new byte[] {1, 2, 3},
            new char[70],
            new short[] {-1},
            new int[1000],
            new long[] {Long.MIN_VALUE},
            new float[] {Float.NaN, 1},
            new double[] {Double.MAX_VALUE},
            new int[][][] {{{1}, {2, 3}}, {}, null},
            new Object[][] {{"a"}, new String[] {"b"}},
            Arrays.asList("a", 2),
            Samples.someOfAll())
        .map(graph -> Arguments.of(graph));
  }

  @ParameterizedTest
  @MethodSource("graphs")
  void shouldCopyGraphs(Object graph) {
    assertCopied(graph);
    assertThat(copy(graph)).hasSameClassAs(graph);
  }

  @Test
  void shouldCopyBlocksOfObjectsWithGaps() {
    HeapCodec plain =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").detectCycles(false).build();
    for (int seed = 0; seed < 50; seed++) {
      java.util.Random random = new java.util.Random(seed);
      Point[] points = new Point[random.nextInt(2000)];
      int gap = 1 + random.nextInt(400);
      for (int i = 0; i < points.length; i++) {
        points[i] = random.nextInt(gap) == 0 ? null : new Point(i, seed);
      }
      assertThat(Graphs.difference(points, plain.decode(plain.encode(points)))).isNull();
      assertCopied(points);
    }
  }

  /** Without numbers for objects they are made after what they refer to. */
  @Test
  void shouldCopyObjectsOfFewLevels() {
    HeapCodec plain =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").detectCycles(false).build();
    for (int seed = 0; seed < 64; seed++) {
      Object one = Samples.box(seed);
      Object[] several = {one, Samples.box(-seed), null, Samples.box(seed / 2)};
      for (Object graph : List.of(one, several, new Samples.Box[] {Samples.box(seed)})) {
        assertThat(Graphs.difference(graph, plain.decode(plain.encode(graph)))).isNull();
        assertCopied(graph);
      }
    }
  }

  /** Up to {@code Raw.SMALL} bytes, and a little beyond, and with the end of the image near. */
  @Test
  void shouldCopyArraysOfObjectsWithSmallReferences() {
    HeapCodec plain =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").detectCycles(false).build();
    for (int count : new int[] {0, 1, 2, 7, 40, 2500}) {
      Object graph = new Object[] {Samples.entries(count), Samples.entries(3)};
      assertThat(Graphs.difference(graph, plain.decode(plain.encode(graph)))).isNull();
      assertCopied(graph);
    }
  }

  /** Runs of elements are written only where there is room for the longest that they can be. */
  @Test
  void shouldWriteArraysOfObjectsWithSmallReferencesWhereThereIsJustRoom() {
    Object graph = Samples.entries(40);
    HeapCodec plain = HeapCodec.builder().detectCycles(false).build();
    byte[] image = plain.encode(graph);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment exact = arena.allocate(image.length);
      assertThat(plain.encode(graph, exact)).isEqualTo(image.length);
      assertThat(exact.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(image);
    }
  }

  @Test
  void shouldCopyNull() {
    assertThat(copy(null)).isNull();
  }

  @Test
  void shouldKeepSharingAndCycles() {
    Node ring = new Node(1, null);
    ring.next = new Node(2, ring);
    String text = new String("shared");
    Object[] graph = {ring, ring.next, text, text, new String("shared"), null};
    graph[5] = graph;

    Object[] copied = (Object[]) copy(graph);

    assertThat(Graphs.difference(graph, copied)).isNull();
    assertThat(copied[2]).isSameAs(copied[3]).isNotSameAs(copied[4]);
    assertThat(copied[5]).isSameAs(copied);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void shouldCopyRandomGraphs(long seed) {
    for (int i = 0; i < 20; i++) {
      assertCopied(RandomGraphs.graph(seed * 100 + i, 5 + i * 10));
    }
  }

  @Test
  void shouldFindObjectsOfEqualContentApart() {
    Point[] equal = new Point[2000];
    Arrays.setAll(equal, i -> new Point(7, 7));
    Object[] graph = {equal, equal.clone(), equal[1234]};

    assertCopied(graph);
  }

  @Test
  void shouldCopyAMillionNodesInARow() {
    Node list = Samples.list(1_000_000);

    Node copied = (Node) copy(list);

    int count = 0;
    for (Node node = copied; node != null; node = node.next) {
      count++;
      assertThat(node.value == list.value).isTrue();
      list = list.next == null ? list : list.next;
    }
    assertThat(count).isEqualTo(1_000_000);
  }

  @Test
  void shouldCopyDeepNestsOfEverything() {
    Object deep = "bottom";
    for (int i = 0; i < 10_000; i++) {
      deep =
          switch (i % 5) {
            case 0 -> new Object[] {deep, i, deep, Pair.withoutWord(i), new Pair(i, "w")};
            case 1 -> new java.util.ArrayList<>(Arrays.asList(deep, "x"));
            case 2 -> new java.util.HashMap<>(java.util.Map.of("k", deep));
            case 3 -> new AllWidths(i, deep);
            default -> Optional.of(deep);
          };
    }
    Object copied = copy(deep);

    // Optional and map compare their content by recursion, so this walks down by hand.
    for (int i = 9_999; i >= 0; i--) {
      copied =
          switch (i % 5) {
            case 0 -> {
              Object[] array = (Object[]) copied;
              assertThat(array[0] == array[2]).isTrue();
              assertThat(((Pair) array[3]).word).isNull();
              assertThat(((Pair) array[4]).word).containsExactly('w');
              yield array[0];
            }
            case 1 -> ((List<?>) copied).get(0);
            case 2 -> ((java.util.Map<?, ?>) copied).get("k");
            case 3 -> ((AllWidths) copied).anything;
            default -> ((Optional<?>) copied).get();
          };
    }
    assertThat(copied).isEqualTo("bottom");
  }

  @Test
  void shouldCopyAHugeArray() {
    long[] huge = new long[1 << 20];
    Arrays.setAll(huge, i -> i * 31L);

    assertThat((long[]) copy(huge)).isEqualTo(huge);
  }

  private static Arena arena(String kind) {
    return switch (kind) {
      case "confined" -> Arena.ofConfined();
      case "shared" -> Arena.ofShared();
      case "automatic" -> Arena.ofAuto();
      default -> Arena.global();
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"confined", "shared", "automatic", "global"})
  void shouldUseMemoryOfEveryKind(String kind) {
    Object graph = Samples.someOfAll();
    Arena arena = arena(kind);
    MemorySegment memory = arena.allocate(16 * 1024);

    long length = CODEC.encode(graph, memory);

    assertThat(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(CODEC.encode(graph));
    assertThat(Graphs.difference(graph, CODEC.decode(memory))).isNull();
    if (kind.equals("confined") || kind.equals("shared")) {
      arena.close();
      assertThatThrownBy(() -> CODEC.encode(graph, memory))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> CODEC.decode(memory)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void shouldFitExactlyOrSayHowLong() {
    Object graph = Samples.someOfAll();
    byte[] image = CODEC.encode(graph);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment exact = arena.allocate(image.length);
      MemorySegment shorter = arena.allocate(image.length - 1L);

      assertThat(CODEC.encode(graph, exact)).isEqualTo(image.length);
      assertThat(exact.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(image);
      assertThatThrownBy(() -> CODEC.encode(graph, shorter))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("length=" + image.length);
      assertThatThrownBy(() -> CODEC.encode(graph, exact.asReadOnly()))
          .isInstanceOf(IllegalArgumentException.class);
    }
    MemorySegment array = MemorySegment.ofArray(new byte[image.length]);
    assertThat(CODEC.encode(graph, array)).isEqualTo(image.length);
    assertThat(array.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(image);
  }

  @Test
  void shouldPutImagesIntoStreams() throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    CODEC.encode("first", output);
    CODEC.encode(new int[100_000], output);
    ByteArrayInputStream input = new ByteArrayInputStream(output.toByteArray());

    assertThat(CODEC.decode(input)).isEqualTo("first");
    assertThat((int[]) CODEC.decode(input)).hasSize(100_000);
    assertThatThrownBy(() -> CODEC.decode(input))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("no more images");
    ByteArrayInputStream cut =
        new ByteArrayInputStream(Arrays.copyOf(output.toByteArray(), 1000), 30, 900);
    cut.skip(0);
    assertThatThrownBy(() -> CODEC.decode(cut)).isInstanceOf(Exception.class);
  }

  @Test
  void shouldCopyWithoutDetectionOfCycles() {
    HeapCodec plain =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").detectCycles(false).build();
    Point shared = new Point(1, 2);

    Point[] copied = (Point[]) plain.decode(plain.encode(new Point[] {shared, shared}));

    assertThat(copied[0].y).isEqualTo(2f);
    assertThat(copied[0]).isNotSameAs(copied[1]);
    // Who detects and who does not understand each other.
    assertThat(((Point[]) CODEC.decode(plain.encode(copied)))[1].x).isEqualTo(1);
  }

  /** As singletons of Java, Kotlin and Scala are, some with an equals. */
  private record Only(int number) {
    static final Only INSTANCE = new Only(1);
  }

  @Test
  void shouldMakeAnotherObjectOfAClassThatHasOne() {
    assertThat(copy(Only.INSTANCE)).isEqualTo(Only.INSTANCE).isNotSameAs(Only.INSTANCE);
  }

  @Test
  void shouldBeUsedByManyThreads() throws Exception {
    byte[] expected = CODEC.encode(RandomGraphs.graph(5, 50));
    List<Thread> threads = new java.util.ArrayList<>();
    AtomicLong same = new AtomicLong();
    for (int t = 0; t < 8; t++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < 50; i++) {
              Object copied = CODEC.decode(expected);
              if (Arrays.equals(CODEC.encode(copied), CODEC.encode(copy(copied)))) {
                same.incrementAndGet();
              }
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join(60_000);
    }
    assertThat(same).hasValue(400);
  }
}
