package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.testing.NodeWatcher;

/** Round trips of every kind of component, with null, empty and extreme values. */
@SuppressWarnings({"ArrayRecordComponent", "NullOptional", "GetClassOnEnum"})
@ExtendWith(NodeWatcher.class)
class GeneratedCodecTest {
  private final MessageCatalog catalog = new MessageCatalog();

  record Primitives(boolean z, byte b, short s, char c, int i, long l, float f, double d) {}

  record Boxed(
      Boolean z, Byte b, Short s, Character c, Integer i, Long l, Float f, Double d, String t) {}

  record Arrays1(
      boolean[] z, byte[] b, short[] s, char[] c, int[] i, long[] l, float[] f, double[] d) {}

  enum Colour {
    RED,
    GREEN,
    BLUE {
      @Override
      public String toString() {
        return "blue, with a body";
      }
    }
  }

  record Values(Colour colour, UUID uuid, Instant instant, Duration duration) {}

  record Point(int x, int y) {}

  record Line(Point from, Point to, Colour colour) {}

  record Named(String name, Point at) {}

  record References(
      String[] strings,
      Integer[] integers,
      Colour[] colours,
      Point[] points,
      Named[] named,
      int[][] grid,
      UUID[] uuids) {}

  record Collections1(
      List<String> strings,
      List<Integer> integers,
      List<Point> points,
      List<Named> named,
      Set<Colour> colours,
      Set<String> words,
      Map<String, Integer> counts,
      Map<Point, List<String>> routes,
      List<Map<Integer, Set<Long>>> deep) {}

  record Optionals(
      Optional<String> text,
      Optional<Integer> number,
      Optional<Point> point,
      Optional<Named> named,
      Optional<List<String>> list,
      Optional<Optional<Integer>> nested) {}

  record Tree(int value, Tree left, Tree right) {}

  record Forest(String name, List<Forest> children) {}

  record Ping(int hops, Pong next) {}

  record Pong(String text, Ping next) {}

  sealed interface Shape permits Circle, Square, Group, Unit {}

  record Circle(double radius) implements Shape {}

  record Square(Point corner, int side) implements Shape {}

  record Group(List<Shape> members, Shape first) implements Shape {}

  enum Unit implements Shape {
    UNIT,
    OTHER {
      @Override
      public String toString() {
        return "other";
      }
    }
  }

  record Drawing(Shape shape, Shape[] more) {}

  record Empty() {}

  record Empties(Empty one, List<Empty> many, Empty[] array, Map<Empty, Empty> map) {}

  record Compacts(@Compact int small, @Compact long large) {}

  record Pair<A, B>(A first, B second) {}

  record Pairs(Pair<String, Integer> one, List<Pair<Point, Optional<String>>> many) {}

  sealed interface Result<T> permits Success, Failure {}

  record Success<T>(T value) implements Result<T>, Comparable<Success<T>> {
    @Override
    public int compareTo(Success<T> other) {
      return 0;
    }
  }

  record Failure<T>(String reason) implements Result<T> {}

  record Results(Result<Integer> number, Result<String> text) {}

  record Bytes(MemorySegment payload, int after) {}

  record Strict(int value) {
    Strict {
      if (value < 0) {
        throw new IllegalArgumentException("negative: " + value);
      }
    }
  }

  record Wide(
      Long a,
      Long b,
      Long c,
      Long d,
      Long e,
      Long f,
      Long g,
      Long h,
      Long i,
      Long j,
      Long k,
      Long l,
      Long m,
      Long n,
      Long o,
      Long p,
      Long q,
      String r,
      Wide more) {}

  @Test
  void shouldPassPrimitives() {
    check(new Primitives(true, (byte) -1, (short) 2, 'x', 3, 4L, 5.5f, 6.25));
    check(
        new Primitives(
            false,
            Byte.MIN_VALUE,
            Short.MIN_VALUE,
            Character.MAX_VALUE,
            Integer.MIN_VALUE,
            Long.MIN_VALUE,
            Float.NaN,
            Double.NEGATIVE_INFINITY));
    check(
        new Primitives(
            true,
            Byte.MAX_VALUE,
            Short.MAX_VALUE,
            Character.MIN_VALUE,
            Integer.MAX_VALUE,
            Long.MAX_VALUE,
            -0.0f,
            Double.MIN_VALUE));
  }

  @Test
  void shouldPassBoxedValuesAndNulls() {
    check(new Boxed(true, (byte) 1, (short) 2, 'c', 3, 4L, 5f, 6d, "seven"));
    check(new Boxed(null, null, null, null, null, null, null, null, null));
    check(new Boxed(false, null, (short) -2, null, Integer.MIN_VALUE, null, Float.NaN, null, ""));
  }

  @Test
  void shouldPassWideRecords() {
    Wide inner =
        new Wide(
            null, 1L, null, 2L, null, 3L, null, 4L, 5L, 6L, null, 7L, 8L, 9L, null, null, 10L, null,
            null);
    check(inner);
    check(
        new Wide(
            1L, null, null, null, null, null, null, 2L, null, null, null, null, null, null, null,
            3L, null, "x", inner));
  }

  @Test
  void shouldPassArraysOfPrimitives() {
    checkDeep(
        new Arrays1(
            new boolean[] {true, false},
            new byte[] {1, -2},
            new short[] {3, -4},
            new char[] {'a', '\uffff'},
            new int[] {5, -6},
            new long[] {7, -8},
            new float[] {9.5f, Float.MIN_VALUE},
            new double[] {10.5, -0.0}));
    checkDeep(new Arrays1(null, null, null, null, null, null, null, null));
    checkDeep(
        new Arrays1(
            new boolean[0],
            new byte[1000],
            new short[300],
            new char[0],
            new int[127],
            new long[128],
            new float[0],
            new double[0]));
  }

  @Test
  void shouldPassValueTypes() {
    check(
        new Values(
            Colour.BLUE, new UUID(1, -2), Instant.ofEpochSecond(-5, 7), Duration.ofNanos(-1)));
    check(new Values(null, null, null, null));
    check(
        new Values(
            Colour.RED,
            new UUID(Long.MIN_VALUE, Long.MAX_VALUE),
            Instant.MIN,
            Duration.ofSeconds(Long.MIN_VALUE)));
    check(
        new Values(
            Colour.GREEN, null, Instant.MAX, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)));
  }

  @Test
  void shouldPassNestedRecords() {
    check(new Line(new Point(1, 2), new Point(3, 4), Colour.GREEN));
    check(new Line(null, new Point(3, 4), null));
    check(new Named(null, null));
    check(new Named("n", new Point(-1, 1)));
  }

  @Test
  void shouldPassArraysOfReferences() {
    checkDeep(
        new References(
            new String[] {"a", null, ""},
            new Integer[] {1, null, 3},
            new Colour[] {Colour.RED, null, Colour.BLUE},
            new Point[] {new Point(1, 2), null},
            new Named[] {null, new Named("x", null), new Named(null, new Point(0, 0))},
            new int[][] {{1, 2}, {}, null},
            new UUID[] {null, new UUID(3, 4)}));
    checkDeep(new References(null, null, null, null, null, null, null));
    checkDeep(
        new References(
            new String[0],
            new Integer[0],
            new Colour[0],
            new Point[0],
            new Named[0],
            new int[0][],
            new UUID[0]));
  }

  @Test
  void shouldMarkNullsAmongManyElements() {
    for (int count : new int[] {1, 7, 8, 9, 63, 64, 65, 127, 128, 200}) {
      Point[] points = new Point[count];
      Named[] named = new Named[count];
      for (int i = 0; i < count; i += 3) {
        points[i] = new Point(i, -i);
        named[count - 1 - i] = new Named("n" + i, null);
      }
      checkDeep(new References(null, null, null, points, named, null, null));
    }
  }

  @Test
  void shouldPassCollections() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    counts.put("b", 2);
    counts.put(null, 3);
    counts.put("a", null);
    Collections1 message =
        new Collections1(
            Arrays.asList("x", null, ""),
            Arrays.asList(1, null),
            List.of(new Point(1, 2)),
            Arrays.asList(null, new Named("n", null)),
            Set.of(Colour.RED, Colour.BLUE),
            new HashSet<>(Arrays.asList("w", null)),
            counts,
            Map.of(new Point(5, 6), List.of("via")),
            List.of(Map.of(1, Set.of(2L, 3L)), Map.of()));
    check(message);
    assertThat(Codecs.roundTrip(catalog, message).counts().keySet())
        .containsExactly("b", null, "a");
    check(new Collections1(null, null, null, null, null, null, null, null, null));
    check(
        new Collections1(
            List.of(), List.of(), List.of(), List.of(), Set.of(), Set.of(), Map.of(), Map.of(),
            List.of()));
  }

  @Test
  void shouldMakeUnmodifiableCollections() {
    Collections1 message =
        Codecs.roundTrip(
            catalog,
            new Collections1(
                List.of("x"),
                null,
                null,
                null,
                Set.of(Colour.RED),
                null,
                Map.of("a", 1),
                null,
                null));

    assertThatThrownBy(() -> message.strings().set(0, "y"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> message.colours().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> message.counts().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void shouldTellOptionalsThatAreNullEmptyAndPresentApart() {
    check(
        new Optionals(
            Optional.of("t"),
            Optional.of(1),
            Optional.of(new Point(1, 2)),
            Optional.of(new Named(null, null)),
            Optional.of(List.of()),
            Optional.of(Optional.empty())));
    check(
        new Optionals(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(Optional.of(3))));
    check(new Optionals(null, null, null, null, null, null));
  }

  @Test
  void shouldPassRecursiveRecords() {
    check(new Tree(1, new Tree(2, null, new Tree(3, null, null)), null));
    check(new Forest("a", List.of(new Forest("b", List.of()), new Forest(null, null))));
    check(new Ping(1, new Pong("x", new Ping(2, new Pong(null, null)))));
    check(new Pong("y", new Ping(2, null)));
  }

  @Test
  void shouldRefuseRecursionThatIsTooDeep() {
    check(chain(200));
    assertThatThrownBy(() -> check(chain(1000)))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("nested too deeply");
    assertThatThrownBy(() -> check(chain(1_000_000)))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("nested too deeply");
  }

  private static Tree chain(int depth) {
    Tree tree = null;
    for (int i = 0; i < depth; i++) {
      tree = new Tree(i, tree, null);
    }
    return tree;
  }

  @Test
  void shouldPassSealedInterfaces() {
    check(new Drawing(new Circle(1.5), null));
    checkDeep(new Drawing(null, new Shape[0]));
    checkDeep(
        new Drawing(
            new Group(List.of(new Circle(1), Unit.OTHER, new Square(null, 3)), Unit.UNIT),
            new Shape[] {null, new Square(new Point(1, 2), 4)}));
    check(new Group(null, null));
  }

  @Test
  void shouldTakeConstantsAndSubtypesAsMessages() {
    assertThat(Codecs.roundTrip(catalog, Colour.BLUE)).isSameAs(Colour.BLUE);
    assertThat(catalog.typeOf(Colour.BLUE.getClass()))
        .isSameAs(catalog.typeOf((Class<?>) Colour.class));
    assertThat(Codecs.roundTrip(catalog, Unit.OTHER)).isSameAs(Unit.OTHER);
    check(new Circle(3));
  }

  @Test
  void shouldPassEmptyRecords() {
    check(new Empty());
    assertThat(Codecs.encode(catalog.typeOf(Empty.class).codec(), new Empty())).isEmpty();
    Empty[] array = {new Empty(), null, new Empty()};
    checkDeep(
        new Empties(
            new Empty(),
            Arrays.asList(null, new Empty()),
            array,
            Collections.singletonMap(null, new Empty())));
    checkDeep(new Empties(null, null, null, null));
  }

  @Test
  void shouldPassCompactNumbers() {
    for (int shift = 0; shift < 64; shift++) {
      check(new Compacts((int) (1L << shift), 1L << shift));
      check(new Compacts((int) (-1L << shift), -1L << shift));
    }
    assertThat(Codecs.encode(catalog.typeOf(Compacts.class).codec(), new Compacts(-1, 63)))
        .containsExactly(1, 126);
  }

  @Test
  void shouldResolveTypeArguments() {
    check(
        new Pairs(
            new Pair<>("a", 1),
            List.of(new Pair<>(new Point(1, 2), Optional.of("x")), new Pair<>(null, null))));
    check(new Results(new Success<>(5), new Failure<>("no")));
    check(new Results(new Failure<>(null), new Success<>("yes")));
  }

  @Test
  void shouldPassMemorySegments() {
    byte[] payload = {1, 2, 3};
    Bytes copy = Codecs.roundTrip(catalog, new Bytes(MemorySegment.ofArray(payload), 7));
    assertThat(copy.payload().toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3);
    assertThat(copy.payload().isReadOnly()).isTrue();
    assertThat(copy.after()).isEqualTo(7);
    assertThat(Codecs.roundTrip(catalog, new Bytes(null, 8))).isEqualTo(new Bytes(null, 8));
  }

  @Test
  void shouldRunConstructors() {
    Codec<Strict> codec = catalog.typeOf(Strict.class).codec();
    assertThatThrownBy(() -> Codecs.decode(codec, new byte[] {-1, -1, -1, -1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("negative: -1");
  }

  record Merged(
      int a,
      int b,
      byte c,
      boolean d,
      short e,
      char f,
      float g,
      long h,
      short i,
      short j,
      byte k,
      byte l,
      float m,
      boolean n,
      boolean o,
      boolean p,
      boolean q,
      double r,
      byte s,
      int t) {}

  @Test
  void shouldPassNeighboursThatShareAWord() {
    check(
        new Merged(
            -1,
            2,
            (byte) -3,
            true,
            (short) -4,
            '\uffff',
            -5.5f,
            -6,
            (short) 7,
            (short) -8,
            (byte) -9,
            (byte) 10,
            Float.MIN_VALUE,
            true,
            false,
            false,
            true,
            -11.5,
            (byte) 12,
            -13));
    check(
        new Merged(
            Integer.MIN_VALUE,
            -1,
            (byte) 0,
            false,
            (short) 0,
            'x',
            0f,
            0,
            (short) -1,
            (short) 0,
            (byte) -1,
            (byte) 0,
            -0f,
            false,
            true,
            true,
            false,
            0.0,
            (byte) -1,
            0));
    assertThatThrownBy(
            () -> Codecs.decode(catalog.typeOf(Merged.class).codec(), bytesWithBoolean(9, 2)))
        .isInstanceOf(DecodingException.class)
        .hasMessage("boolean out of range: expected 0 or 1, found 2");
  }

  private static byte[] bytesWithBoolean(int at, int value) {
    byte[] bytes = new byte[100];
    bytes[at] = (byte) value;
    return bytes;
  }

  record Unsupported(int fine, Path path) {}

  record RawList(@SuppressWarnings("rawtypes") List list) {}

  record DeepInside(List<Map<String, Thread>> threads) {}

  record WrongCompact(@Compact String text) {}

  record Endless<T>(T value, Endless<List<T>> more) {}

  record Start(Endless<String> endless) {}

  @Test
  void shouldNameComponentAndTypeOfWhatIsUnsupported() {
    assertRefused(
        Unsupported.class, "component path of " + name("Unsupported"), "java.nio.file.Path");
    assertRefused(RawList.class, "component list of " + name("RawList"), "java.util.List");
    assertRefused(DeepInside.class, "component threads of ", "java.lang.Thread");
    assertRefused(WrongCompact.class, "component text of ", "@Compact is for int and long");
    assertRefused(Start.class, name("Endless"), "nested without end");
    assertRefused(String.class, "java.lang.String", "register a codec");
    assertRefused(Shape.class, name("Shape"), "send one of the records that it permits");
  }

  private void assertRefused(Class<?> type, String... parts) {
    assertThatThrownBy(() -> catalog.typeOf(type))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(parts);
  }

  private static String name(String simple) {
    return GeneratedCodecTest.class.getName() + "$" + simple;
  }

  @Test
  void shouldRefuseCollectionsThatChangeWhileTheyAreEncoded() {
    record Strings(List<Integer> list) {}
    Codec<Strings> strings = catalog.typeOf(Strings.class).codec();
    List<Integer> lying =
        new ArrayList<>(List.of(1)) {
          private static final long serialVersionUID = 1;

          @Override
          public int size() {
            return 3;
          }
        };
    assertThatThrownBy(() -> Codecs.encode(strings, new Strings(lying)))
        .isInstanceOf(ConcurrentModificationException.class)
        .hasMessageContaining("size=3 elements=1");
  }

  private void check(Object message) {
    assertThat(Codecs.roundTrip(catalog, message)).isEqualTo(message);
  }

  private void checkDeep(Object message) {
    assertThat(Codecs.roundTrip(catalog, message)).usingRecursiveComparison().isEqualTo(message);
  }
}
