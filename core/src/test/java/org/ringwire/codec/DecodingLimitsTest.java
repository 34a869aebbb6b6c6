package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.MessagingException;
import org.ringwire.codec.generate.layout.TypeNames;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;
import org.ringwire.wire.TypeAnnouncement;

/** What decoding refuses to spend, what it says, and what types may need. */
@ExtendWith(NodeWatcher.class)
class DecodingLimitsTest {

  record Point(int x, int y) {}

  record Points(Set<Point> points) {}

  record Heights(Map<Point, Integer> heights) {}

  record Names(Set<String> names) {}

  record Path(List<Integer> steps) {}

  record Paths(Set<List<Integer>> paths, Map<Path, Integer> lengths) {}

  enum Kind {
    ONE,
    TWO
  }

  record Inner(long number, Kind kind, String text) {}

  record Outer(int id, Inner inner, List<Inner> more, Optional<Instant> when) {}

  record Chain(String text, @Nullable Chain next) {}

  private final MessageCatalog catalog = new MessageCatalog();

  private <T> T roundTrip(T message) {
    return Codecs.roundTrip(catalog, message);
  }

  /** All of hash code 0: 31 * x + y. */
  private static Set<Point> colliding(int count) {
    Set<Point> points = new LinkedHashSet<>();
    for (int x = 0; x < count; x++) {
      points.add(new Point(x, -31 * x));
    }
    return points;
  }

  @Test
  void shouldRefuseManyKeysOfOneHashCode() {
    assertThat(roundTrip(new Points(colliding(200)))).isEqualTo(new Points(colliding(200)));
    assertThatThrownBy(() -> roundTrip(new Points(colliding(3000))))
        .isExactlyInstanceOf(MessagingException.class)
        .hasMessageContaining("too many keys or elements of one hash code")
        .hasMessageContaining(Point.class.getName());
    Map<Point, Integer> heights = new LinkedHashMap<>();
    colliding(3000).forEach(point -> heights.put(point, 7));
    assertThatThrownBy(() -> roundTrip(new Heights(heights)))
        .isExactlyInstanceOf(MessagingException.class)
        .hasMessageContaining("too many keys or elements of one hash code");
  }

  @Test
  void shouldTakeWhatIsSortedOrCollidesByNature() {
    Set<Point> grid = new LinkedHashSet<>();
    Map<Point, Integer> heights = new LinkedHashMap<>();
    for (int x = 0; x < 300; x++) {
      for (int y = 0; y < 300; y++) {
        grid.add(new Point(x, y));
        heights.put(new Point(x, y), x * y);
      }
    }
    assertThat(roundTrip(new Points(grid)).points()).isEqualTo(grid);
    assertThat(roundTrip(new Heights(heights)).heights()).isEqualTo(heights);
    Set<String> names = new LinkedHashSet<>(); // "Aa" and "BB" have the same hash code
    for (int bits = 0; bits < 1 << 12; bits++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 12; bit++) {
        name.append((bits >> bit & 1) == 0 ? "Aa" : "BB");
      }
      names.add(name.toString());
    }
    assertThat(roundTrip(new Names(names)).names()).isEqualTo(names);
  }

  /** Lists of one hash code that differ at their ends only, if that. */
  private static List<List<Integer>> colliding(int count, int length) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      List<Integer> list = new ArrayList<>(Collections.nCopies(length - 2, 7));
      list.add(number);
      list.add(-31 * number);
      lists.add(list);
    }
    return lists;
  }

  private static Paths paths(List<List<Integer>> lists, boolean inMap) {
    Map<Path, Integer> lengths = new LinkedHashMap<>();
    if (inMap) {
      lists.forEach(list -> lengths.put(new Path(list), list.size()));
    }
    return new Paths(inMap ? Set.of() : new LinkedHashSet<>(lists), lengths);
  }

  /** Many short ones are no reason to compare long ones more often. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRefuseLongKeysOfOneHashCodeAmongManyShortOnes(boolean inMap) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int number = 0; number < 20_000; number++) {
      lists.add(List.of(number));
    }
    assertThat(roundTrip(paths(lists, inMap))).isEqualTo(paths(lists, inMap));
    lists.addAll(colliding(200, 2));
    lists.addAll(colliding(100, 100));
    assertThat(roundTrip(paths(lists, inMap))).isEqualTo(paths(lists, inMap));
    lists.addAll(colliding(1200, 101));
    assertThatThrownBy(() -> roundTrip(paths(lists, inMap)))
        .isExactlyInstanceOf(MessagingException.class)
        .hasMessageContaining("too many keys or elements of one hash code");
  }

  @Test
  void shouldNameTheComponentThatDoesNotDecode() {
    Codec<Outer> codec = catalog.typeOf(Outer.class).codec();
    Inner inner = new Inner(1, Kind.TWO, "text");
    Outer message =
        new Outer(5, inner, List.of(inner, inner), Optional.of(Instant.ofEpochSecond(1)));
    byte[] bytes = Codecs.encode(codec, message);
    Set<String> named = new TreeSet<>();
    for (int at = 0; at < bytes.length; at++) {
      byte[] broken = bytes.clone();
      broken[at] = (byte) 0xff;
      try {
        Codecs.decode(codec, broken);
      } catch (DecodingException e) {
        named.add(String.valueOf(e.getMessage()).replaceAll(":.*", ""));
      } catch (AssertionError e) {
        assertThat(e).as("another length").isNotNull();
      }
    }
    assertThat(named)
        .contains(
            "component inner.kind",
            "component inner.text",
            "component more",
            "component more.kind",
            "component more.text",
            "component when");
    byte[] cut = Arrays.copyOf(bytes, bytes.length - 15); // ends in the second element of the list
    assertThatThrownBy(() -> Codecs.decode(codec, cut))
        .isInstanceOf(DecodingException.class)
        .hasMessageStartingWith("component more.");
  }

  @Test
  void shouldBoundTheNamesOfATypeThatContainsItself() {
    Codec<Chain> codec = catalog.typeOf(Chain.class).codec();
    Chain chain = new Chain("end", null);
    for (int depth = 0; depth < 200; depth++) {
      chain = new Chain("", chain);
    }
    byte[] bytes = Codecs.encode(codec, chain);
    byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
    assertThatThrownBy(() -> Codecs.decode(codec, cut))
        .isInstanceOf(DecodingException.class)
        .hasMessageStartingWith("component next.next.")
        .satisfies(e -> assertThat(names(e)).isEqualTo(16));
  }

  /** Each of which has taken an exception, whose trace is as long as the chain was deep. */
  private static int names(Throwable failure) {
    return String.valueOf(failure.getMessage()).replaceAll(":.*", "").split("\\.").length;
  }

  @Test
  void shouldAgreeWithTheWireOnTheLongestNameAndSchema() {
    assertThat(Schema.MAX_LENGTH).isEqualTo(TypeAnnouncement.MAX_SCHEMA_LENGTH);
    assertThat(TypeNames.MAX_LENGTH).isEqualTo(TypeAnnouncement.MAX_NAME_LENGTH);
  }

  @Test
  void shouldRefuseATypeThatNoAnnouncementCanCarry() throws ClassNotFoundException {
    Class<?> longest = enumOf(1000, 20);
    assertThat(catalog.typeOf(longest).schema().toBytes().length).isLessThan(Schema.MAX_LENGTH);
    Class<?> tooLong = enumOf(1000, 40);
    assertThatThrownBy(() -> new MessageCatalog().typeOf(tooLong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("schema of a type is too long")
        .hasMessageContaining("maximum=" + Schema.MAX_LENGTH)
        .hasMessageContaining("one for a part is not used");
    Class<?> named = messageNamed("é".repeat(TypeNames.MAX_LENGTH / 2));
    assertThat(catalog.typeOf(named).name()).hasSize(TypeNames.MAX_LENGTH / 2);
    Class<?> tooLongName = messageNamed("é".repeat(TypeNames.MAX_LENGTH / 2 + 1));
    assertThatThrownBy(() -> catalog.typeOf(tooLongName))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 1024 bytes in UTF-8");
  }

  private static Class<?> enumOf(int constants, int nameLength) throws ClassNotFoundException {
    StringBuilder source = new StringBuilder("public enum Many {\n");
    for (int constant = 0; constant < constants; constant++) {
      String name = "C" + (100_000 + constant);
      source.append(name).append("_".repeat(nameLength - name.length())).append(",\n");
    }
    return Sources.compile("Many", source + "}").loadClass("Many");
  }

  private static Class<?> messageNamed(String name) throws ClassNotFoundException {
    String source =
        "@org.ringwire.codec.Message(name = \"" + name + "\") public record Named(int a) {}";
    return Sources.compile("Named", source).loadClass("Named");
  }
}
