package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/**
 * Round trips of every kind of component, with null, empty and extreme values. Other tests use the
 * types here; their names are in the fixtures of the encoding and must stay.
 */
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
  void shouldPassRecursiveRecords() {
    check(new Tree(1, new Tree(2, null, new Tree(3, null, null)), null));
    check(new Forest("a", List.of(new Forest("b", List.of()), new Forest(null, null))));
    check(new Ping(1, new Pong("x", new Ping(2, new Pong(null, null)))));
    check(new Pong("y", new Ping(2, null)));
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

  private void check(Object message) {
    assertThat(Codecs.roundTrip(catalog, message)).isEqualTo(message);
  }

  private void checkDeep(Object message) {
    assertThat(Codecs.roundTrip(catalog, message)).usingRecursiveComparison().isEqualTo(message);
  }
}
