package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.testing.NodeWatcher;

/**
 * Keys and elements that hold sets or maps, sent by a peer that chose them so that telling them
 * apart takes long: one comparison of them may cost many others. What is counted is how often an
 * element is compared, or its hash code computed.
 */
@ExtendWith(NodeWatcher.class)
class NestedKeysTest {
  private static final String REFUSAL = "too many keys or elements of one hash code";
  private static final String DEEP = "sets or maps within keys are nested too deeply";

  /** Calls for each byte, and beside that; see {@code KeyCosts}. */
  private static final int CALLS_PER_BYTE = 16;

  private static final int FREE_CALLS = 1 << 24;

  private static long calls;

  /** Has the hash code of a record, and counts. */
  record Point(int x, int y) {

    @Override
    public boolean equals(@Nullable Object other) {
      calls++;
      return other instanceof Point point && point.x == x && point.y == y;
    }

    @Override
    public int hashCode() {
      calls++;
      return 31 * x + y;
    }
  }

  record Sets(Set<Set<Point>> sets) {}

  record Keys(Map<Set<Point>, String> keys) {}

  record Wrapper(String text, @Nullable Set<Point> points) {}

  record Wrappers(Set<Wrapper> wrappers) {}

  record Lists(Set<List<Set<Point>>> lists) {}

  record Maybes(Set<Optional<Set<Point>>> maybes) {}

  record Maps(Map<Map<Point, Integer>, Integer> maps) {}

  record Paths(Set<Set<List<Point>>> paths) {}

  record Gap(List<@Nullable Wrapper> list, Set<Point> points) {}

  record Gaps(Set<Gap> gaps) {}

  record Deep(Set<Set<Set<Point>>> sets) {}

  record Deeper(Set<Set<Set<Set<Set<Point>>>>> sets) {}

  record Groups(Set<Set<Map<List<Point>, Integer>>> groups) {}

  record Hollow(List<@Nullable Wrapper> list, Set<Hollow> parts) {}

  record Nest(Point point, Set<Nest> nests) {}

  private final MessageCatalog catalog = new MessageCatalog();

  @BeforeEach
  void count() {
    calls = 0;
  }

  /** What a peer sends as a set, made without comparing. */
  private static <T> Set<T> unchecked(List<T> elements) {
    return new AbstractSet<>() {
      @Override
      public Iterator<T> iterator() {
        return elements.iterator();
      }

      @Override
      public int size() {
        return elements.size();
      }
    };
  }

  private static <K, V> Map<K, V> uncheckedMap(List<K> keys, V value) {
    List<Map.Entry<K, V>> entries = new ArrayList<>();
    keys.forEach(key -> entries.add(Map.entry(key, value)));
    return new AbstractMap<>() {
      @Override
      public Set<Map.Entry<K, V>> entrySet() {
        return unchecked(entries);
      }
    };
  }

  private static <T> List<T> list(int count, IntFunction<T> element) {
    List<T> list = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      list.add(element.apply(number));
    }
    return list;
  }

  /** One of many points with a hash code. */
  private static Point point(int hash, int number) {
    return new Point(number, hash - 31 * number);
  }

  /**
   * Points of which so many have one hash code each, and then some that make lists of as many
   * differ, without changing the hash code of a set of them.
   */
  private static List<Point> points(int number, int size, int chain) {
    List<Point> points = list(size - 1, i -> point(i / chain, i % chain));
    points.add(point(-1, number));
    return points;
  }

  private static List<Set<Point>> sets(int count, int size, int chain) {
    return list(count, number -> unchecked(points(number, size, chain)));
  }

  /** Decodes a message, and says why it was refused, if so; the effort has a bound in any case. */
  private @Nullable String refusal(Object message) {
    Codec<Object> codec = codec(message);
    byte[] bytes = Codecs.encode(codec, message);
    calls = 0;
    String refusal = null;
    try {
      Codecs.decode(codec, bytes);
    } catch (MessagingException e) {
      assertThat(e).as("costs its message only").isExactlyInstanceOf(MessagingException.class);
      refusal = e.getMessage();
      assertThat(refusal).containsAnyOf(REFUSAL, DEEP);
    }
    assertThat(calls)
        .as("bytes=%s refusal=%s", bytes.length, refusal)
        .isLessThan(FREE_CALLS + (long) CALLS_PER_BYTE * bytes.length);
    return refusal;
  }

  @SuppressWarnings("unchecked")
  private Codec<Object> codec(Object message) {
    return catalog.typeOf((Class<Object>) message.getClass()).codec();
  }

  private void assertRefused(Object message) {
    assertRefused(message, REFUSAL);
  }

  private void assertRefused(Object message, String why) {
    assertThat(refusal(message)).contains(why);
  }

  @Test
  void shouldRefuseSetsThatEachCostMany() {
    assertRefused(new Sets(unchecked(sets(100, 128, 128))));
    assertRefused(new Sets(unchecked(sets(300, 120, 120))));
    assertRefused(new Sets(unchecked(sets(100, 150, 150))));
    assertRefused(new Sets(unchecked(sets(1000, 128, 16))));
    assertRefused(new Sets(unchecked(sets(2000, 30, 1))));
    assertRefused(new Sets(unchecked(sets(20_000, 2, 1))));
  }

  @Test
  void shouldBoundWhatSetsCostWhoeverChoseThem() {
    boolean anyRefused = false;
    boolean anyTaken = false;
    for (int size = 2; size <= 1024; size *= 4) {
      for (int chain = 1; chain <= size; chain *= 4) {
        for (int count = 4; count * size <= 1 << 16; count *= 2) {
          boolean refused = refusal(new Sets(unchecked(sets(count, size, chain)))) != null;
          anyRefused |= refused;
          anyTaken |= !refused;
        }
      }
    }
    assertThat(anyRefused && anyTaken).isTrue();
  }

  @Test
  void shouldRefuseKeysOfMapsAndOtherKeysThatHoldSetsOrMaps() {
    List<Set<Point>> sets = sets(300, 120, 120);
    assertRefused(new Keys(uncheckedMap(sets, "")));
    assertRefused(new Wrappers(unchecked(list(300, i -> new Wrapper("", sets.get(i))))));
    assertRefused(new Lists(unchecked(list(300, i -> List.of(sets.get(i))))));
    assertRefused(new Lists(unchecked(list(300, i -> List.of(Set.of(), sets.get(i))))));
    assertRefused(new Maybes(unchecked(list(300, i -> Optional.of(sets.get(i))))));
    List<Map<Point, Integer>> maps = list(300, i -> uncheckedMap(points(i, 120, 120), 7));
    assertRefused(new Maps(uncheckedMap(maps, 7)));
  }

  @Test
  void shouldRefuseSetsOfListsByTheirLength() {
    // few long lists of one hash code, beside many short ones of others
    List<Point> head = list(300, i -> new Point(i, i));
    IntFunction<Set<List<Point>>> set =
        number -> {
          List<List<Point>> lists = list(100, i -> with(head, point(0, i)));
          lists.add(with(head, point(1, number)));
          lists.addAll(list(200, i -> List.of(new Point(i, i))));
          return unchecked(lists);
        };
    assertRefused(new Paths(unchecked(list(4, set))));
  }

  @Test
  void shouldRefuseLongListsOfNullWhichTakeFewBytes() {
    List<@Nullable Wrapper> list = Collections.nCopies(80_000, null);
    List<Set<Point>> sets = sets(64, 8, 1);
    assertRefused(new Gaps(unchecked(list(64, i -> new Gap(list, sets.get(i))))));
  }

  private static <T> List<T> with(List<T> head, T last) {
    List<T> list = new ArrayList<>(head);
    list.add(last);
    return list;
  }

  @Test
  void shouldRefuseSetsOfSetsOfSets() {
    // chains of points, of sets of points, and of both
    assertRefused(new Deep(unchecked(list(40, i -> middle(i, 4, 64, 64)))));
    assertRefused(new Deep(unchecked(list(40, i -> middle(i, 60, 8, 1)))));
    assertRefused(new Deep(unchecked(list(40, i -> middle(i, 30, 30, 30)))));
    for (int count = 2; count <= 256; count *= 2) {
      int inner = count;
      refusal(new Deep(unchecked(list(count, i -> middle(i, 8, 8, 8)))));
      refusal(new Deep(unchecked(list(4, i -> middle(i, inner, 8, 8)))));
      refusal(new Deep(unchecked(list(4, i -> middle(i, inner, 2, 1)))));
      refusal(new Deep(unchecked(list(inner, i -> middle(i, inner, 2, 1)))));
    }
  }

  /** Differs from others of its kind in the last set alone. */
  private static Set<Set<Point>> middle(int number, int count, int size, int chain) {
    return unchecked(with(sets(count, size, chain), unchecked(points(1000 + number, size, chain))));
  }

  /**
   * The first element of one key is not in the others, and has the hash code of all of theirs; each
   * comparison with one of these computes a hash code that takes long.
   */
  @Test
  void shouldRefuseChainsThatAreComparedWithLongElementsOfOthers() {
    int chain = 100;
    List<Set<Set<Set<Set<Point>>>>> keys = new ArrayList<>();
    List<Set<Set<Set<Point>>>> first = new ArrayList<>();
    first.add(unchecked(List.of(pair(0, 40_000))));
    for (int number = 0; number < chain - 1; number++) { // of other hash codes, and the same sum
      int hash = 7 + number - (chain - 2) / 2;
      first.add(unchecked(List.of(unchecked(List.of(unchecked(List.of(point(hash, 0))))))));
    }
    keys.add(unchecked(first));
    for (int key = 1; key <= 4; key++) {
      int start = key * chain;
      keys.add(unchecked(list(chain, i -> unchecked(List.of(pair(start + i, 1))))));
    }
    assertThat(keys.stream().mapToInt(Set::hashCode).distinct()).hasSize(1);
    assertRefused(new Deeper(unchecked(keys)));
  }

  /** The same, where maps look up their own keys in the others. */
  @Test
  void shouldRefuseChainsOfMapsThatAreComparedWithOneThatHasALongKey() {
    int chain = 330;
    int hash = 7;
    List<Set<Map<List<Point>, Integer>>> keys = new ArrayList<>();
    List<Map<List<Point>, Integer>> first = new ArrayList<>();
    first.add(mapOf(hash, Collections.nCopies(60_000, point(1, 1))));
    int rest = (chain - 1) * hash;
    for (int number = 0; number < chain - 1; number++) { // of other hash codes, and the same sum
      int next = number == chain - 2 ? rest : hash + 1 + number;
      rest -= next;
      first.add(mapOf(next, List.of(point(number, 0))));
    }
    keys.add(unchecked(first));
    for (int key = 1; key <= 3; key++) {
      int start = key * chain;
      keys.add(unchecked(list(chain, i -> mapOf(hash, List.of(point(start + i, 0))))));
    }
    assertThat(keys.stream().mapToInt(Set::hashCode).distinct()).hasSize(1);
    assertRefused(new Groups(unchecked(keys)));
  }

  private static Map<List<Point>, Integer> mapOf(int hash, List<Point> key) {
    return Map.of(key, key.hashCode() ^ hash);
  }

  @Test
  void shouldRefuseHashCodesOfNullsThatAreNestedDeep() {
    List<@Nullable Wrapper> nulls = Collections.nCopies(4_000_000, null);
    Hollow hollow = new Hollow(nulls, Set.of());
    for (int depth = 0; depth < 90; depth++) {
      hollow = new Hollow(List.of(), unchecked(List.of(hollow)));
    }
    assertRefused(hollow, DEEP);
  }

  /** Two sets in a set, which have hash code 7 together; the first of them may be large. */
  private static Set<Set<Point>> pair(int number, int size) {
    List<Point> first = list(size, i -> point(i, number));
    int rest = 7 - size * (size - 1) / 2;
    return unchecked(List.of(unchecked(first), unchecked(List.of(point(rest, number)))));
  }

  @Test
  void shouldRefuseHashCodesOfMuchThatIsNestedDeep() {
    Nest nest = new Nest(point(1, 1), unchecked(list(60_000, i -> leaf(i))));
    for (int depth = 0; depth < 250; depth++) {
      nest = new Nest(point(1, 1), unchecked(List.of(nest)));
    }
    assertRefused(nest, DEEP);
    Nest tree = new Nest(point(1, 1), unchecked(list(200, i -> leaf(i))));
    for (int depth = 0; depth < 250; depth++) {
      tree = new Nest(point(depth, 1), unchecked(List.of(tree, leaf(depth))));
    }
    assertThat(refusal(tree)).isNull();
  }

  private static Nest leaf(int number) {
    return new Nest(new Point(number, number), Set.of());
  }

  @Test
  void shouldRefuseSetsOfSetsWhoseCostGrowsWithTheirDepth() {
    List<Nest> nests = list(6, i -> new Nest(point(1, i), Set.of()));
    for (int depth = 0; depth < 5; depth++) {
      List<Nest> inner = nests;
      // of one hash code, and each differs from the others in its last element
      nests =
          list(
              6,
              i -> new Nest(point(1, 0), unchecked(with(inner, new Nest(point(2, i), Set.of())))));
    }
    assertRefused(new Nest(point(0, 0), unchecked(nests)));
  }

  @Test
  void shouldCountEachMessageByItself() {
    Codec<Object> codec = codec(new Sets(Set.of()));
    Sets taken = new Sets(new LinkedHashSet<>(sets(60, 60, 1)));
    byte[] good = Codecs.encode(codec, taken);
    byte[] bad = Codecs.encode(codec, new Sets(unchecked(sets(300, 120, 120))));
    Reader reader = new Reader();
    for (int i = 0; i < 20; i++) {
      boolean isGood = i % 2 == 0;
      byte[] bytes = isGood ? good : bad;
      reader.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
      if (isGood) {
        assertThat(codec.decode(reader)).isEqualTo(taken);
      } else {
        assertThatThrownBy(() -> codec.decode(reader))
            .isInstanceOf(MessagingException.class)
            .hasMessageContaining(REFUSAL);
      }
    }
  }

  /** Values of maps are no keys: they may be as they like. */
  @Test
  void shouldTakeSetsThatAreNoKeys() {
    Map<Point, Set<Point>> areas = new LinkedHashMap<>();
    for (int number = 0; number < 300; number++) {
      areas.put(new Point(number, 1), new LinkedHashSet<>(points(number, 40, 40)));
    }
    record Areas(Map<Point, Set<Point>> areas) {}
    assertThat(Codecs.roundTrip(catalog, new Areas(areas)).areas()).isEqualTo(areas);
  }
}
