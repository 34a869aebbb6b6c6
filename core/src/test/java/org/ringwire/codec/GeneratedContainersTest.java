package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.codec.GeneratedCodecTest.Arrays1;
import org.ringwire.codec.GeneratedCodecTest.Collections1;
import org.ringwire.codec.GeneratedCodecTest.Colour;
import org.ringwire.codec.GeneratedCodecTest.Named;
import org.ringwire.codec.GeneratedCodecTest.Optionals;
import org.ringwire.codec.GeneratedCodecTest.Point;
import org.ringwire.codec.GeneratedCodecTest.References;
import org.ringwire.testing.NodeWatcher;

/** Round trips of arrays, collections and optionals, with null and empty ones. */
@SuppressWarnings({"ArrayRecordComponent", "NullOptional", "GetClassOnEnum"})
@ExtendWith(NodeWatcher.class)
class GeneratedContainersTest {

  private final MessageCatalog catalog = new MessageCatalog();

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

  private void check(Object message) {
    assertThat(Codecs.roundTrip(catalog, message)).isEqualTo(message);
  }

  private void checkDeep(Object message) {
    assertThat(Codecs.roundTrip(catalog, message)).usingRecursiveComparison().isEqualTo(message);
  }
}
