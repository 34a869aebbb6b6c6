package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Keys and elements that hold sets, maps or lists: one comparison of them may cost many others. */
@ExtendWith(NodeWatcher.class)
class NestedKeysTest {
  private static final String REFUSAL = "too many keys or elements of one hash code";

  record Point(int x, int y) {}

  record Sets(Set<Set<Point>> sets) {}

  record Keys(Map<Set<Point>, String> keys) {}

  record Wrapper(String text, @Nullable Set<Point> points) {}

  record Wrappers(Set<Wrapper> wrappers) {}

  record Lists(Set<List<Point>> lists) {}

  record Numbers(Set<Set<Integer>> sets) {}

  record Nest(int number, Set<Nest> nests) {}

  record Areas(Map<Point, Set<Point>> areas) {}

  private final MessageCatalog catalog = new MessageCatalog();

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

  /** Sets of one hash code, whose elements have one hash code, too, and differ in the last. */
  private static List<Set<Point>> colliding(int count, int size) {
    List<Set<Point>> sets = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      List<Point> points = new ArrayList<>();
      for (int x = 0; x < size - 1; x++) {
        points.add(new Point(x, -31 * x));
      }
      int last = size + number;
      points.add(new Point(last, -31 * last));
      sets.add(unchecked(points));
    }
    return sets;
  }

  private void assertRefused(Object message) {
    assertThatThrownBy(() -> Codecs.roundTrip(catalog, message))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining(REFUSAL);
  }

  @Test
  void shouldRefuseFewKeysThatEachCostMany() {
    assertRefused(new Sets(unchecked(colliding(60, 128))));
    assertRefused(new Sets(unchecked(colliding(60, 150))));
    List<Wrapper> wrappers = colliding(60, 128).stream().map(set -> new Wrapper("", set)).toList();
    assertRefused(new Wrappers(unchecked(wrappers)));
    List<Map.Entry<Set<Point>, String>> entries =
        colliding(60, 128).stream().map(set -> Map.entry(set, "")).toList();
    assertRefused(
        new Keys(
            new AbstractMap<>() {
              @Override
              public Set<Map.Entry<Set<Point>, String>> entrySet() {
                return unchecked(entries);
              }
            }));
  }

  @Test
  void shouldRefuseSetsOfSetsWhoseCostGrowsWithTheirDepth() {
    List<Nest> nests = new ArrayList<>();
    for (int number = 0; number < 6; number++) {
      nests.add(new Nest(1000 + number, Set.of()));
    }
    for (int depth = 0; depth < 5; depth++) {
      List<Nest> outer = new ArrayList<>();
      for (int number = 0; number < 6; number++) {
        // of one hash code: 31 * number + that of the set, which is a sum
        List<Nest> elements = new ArrayList<>(nests);
        elements.add(new Nest(-31 * number, Set.of()));
        outer.add(new Nest(31 * number, unchecked(elements)));
      }
      nests = outer;
    }
    assertRefused(new Nest(0, unchecked(nests)));
  }

  @Test
  void shouldWeighKeysByTheirLength() {
    List<List<Point>> lists = new ArrayList<>();
    for (int number = 0; number < 20_000; number++) {
      lists.add(List.of(new Point(number, number)));
    }
    List<Point> many = new ArrayList<>(colliding(1, 200).getFirst());
    for (int number = 0; number < 600; number++) { // few beside the others, and long
      List<Point> list = new ArrayList<>(many);
      list.add(new Point(number, -31 * number));
      lists.add(list);
    }
    assertRefused(new Lists(unchecked(lists)));
  }

  @Test
  void shouldTakeSetsOfSets() {
    Set<Set<Integer>> random = new LinkedHashSet<>();
    Random numbers = new Random(5);
    while (random.size() < 3000) {
      Set<Integer> set = new LinkedHashSet<>();
      for (int i = numbers.nextInt(200); i >= 0; i--) {
        set.add(numbers.nextInt());
      }
      random.add(set);
    }
    assertThat(Codecs.roundTrip(catalog, new Numbers(random)).sets()).isEqualTo(random);
    Set<Set<Integer>> small = new LinkedHashSet<>(); // the hash code is the sum
    for (int a = 0; a < 30; a++) {
      for (int b = 0; b < a; b++) {
        for (int c = 0; c < b; c++) {
          small.add(Set.of(a, b, c));
        }
      }
    }
    assertThat(Codecs.roundTrip(catalog, new Numbers(small)).sets()).isEqualTo(small);
  }

  @Test
  void shouldTakeSetsOfSetsOfRecordsAndMapsToThem() {
    Set<Set<Point>> sets = new LinkedHashSet<>();
    Map<Point, Set<Point>> areas = new LinkedHashMap<>();
    for (int number = 0; number < 1000; number++) {
      Set<Point> area = new LinkedHashSet<>();
      for (int i = 0; i <= number % 100; i++) {
        area.add(new Point(number + i % 10, i / 10));
      }
      sets.add(area);
      areas.put(new Point(number % 40, number / 40), area);
    }
    assertThat(Codecs.roundTrip(catalog, new Sets(sets)).sets()).isEqualTo(sets);
    assertThat(Codecs.roundTrip(catalog, new Areas(areas)).areas()).isEqualTo(areas);
    Map<Set<Point>, String> keys = new LinkedHashMap<>();
    sets.forEach(set -> keys.put(set, "value"));
    assertThat(Codecs.roundTrip(catalog, new Keys(keys)).keys()).isEqualTo(keys);
    Set<Wrapper> wrappers = new LinkedHashSet<>();
    sets.forEach(set -> wrappers.add(new Wrapper("text " + set.size(), set)));
    wrappers.add(new Wrapper("", null));
    assertThat(Codecs.roundTrip(catalog, new Wrappers(wrappers)).wrappers()).isEqualTo(wrappers);
  }
}
