package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.MessagingException;
import org.ringwire.testing.NodeWatcher;

/**
 * Keys and elements that hold sets or maps as programs have them, with hash codes that are sums,
 * and so often the same, without anybody having chosen them: they are taken, up to a size.
 */
@ExtendWith(NodeWatcher.class)
class HonestNestedKeysTest {

  record Point(int x, int y) {}

  enum Color {
    RED,
    GREEN,
    BLUE,
    BLACK,
    WHITE,
    GREY,
    PINK,
    BROWN,
    AMBER,
    TEAL
  }

  record Sets(Set<Set<Point>> sets) {}

  record Keys(Map<Set<Point>, String> keys) {}

  record Wrapper(String text, @Nullable Set<Point> points) {}

  record Wrappers(Set<Wrapper> wrappers) {}

  record Lists(Set<List<Set<Point>>> lists) {}

  record Maybes(Set<Optional<Set<Point>>> maybes) {}

  record Maps(Map<Map<Point, Integer>, Integer> maps) {}

  record Numbers(Set<Set<Integer>> sets) {}

  record NodeNumber(long number) {}

  record Distances(Map<Set<NodeNumber>, Double> distances) {}

  record Splits(Map<Set<Set<NodeNumber>>, Integer> splits) {}

  record Words(Set<Set<String>> sets) {}

  record Colors(Set<Set<Color>> sets) {}

  record Deep(Set<Set<Set<Point>>> sets) {}

  record Tree(int number, Set<Tree> children) {}

  record Key(String name, Set<String> tags) {}

  record Folder(Map<Key, Folder> folders) {}

  record Step(Map<Set<Integer>, Step> next) {}

  record Steps(Set<Step> steps) {}

  private final MessageCatalog catalog = new MessageCatalog();

  private void assertTaken(Object message) {
    assertThat(Codecs.roundTrip(catalog, message)).isEqualTo(message);
  }

  /** All the keys and messages that sets of points can be in. */
  private void assertAllTaken(Set<Set<Point>> sets) {
    assertTaken(new Sets(sets));
    Map<Set<Point>, String> keys = new LinkedHashMap<>();
    Set<Wrapper> wrappers = new LinkedHashSet<>();
    Set<List<Set<Point>>> lists = new LinkedHashSet<>();
    Set<Optional<Set<Point>>> maybes = new LinkedHashSet<>();
    Map<Map<Point, Integer>, Integer> maps = new LinkedHashMap<>();
    for (Set<Point> set : sets) {
      keys.put(set, "value");
      wrappers.add(new Wrapper("text " + set.size(), set));
      lists.add(List.of(set, Set.of(), set));
      maybes.add(Optional.of(set));
      Map<Point, Integer> map = new LinkedHashMap<>();
      set.forEach(point -> map.put(point, point.x() + point.y()));
      maps.put(map, set.size());
    }
    wrappers.add(new Wrapper("", null));
    maybes.add(Optional.empty());
    assertTaken(new Keys(keys));
    assertTaken(new Wrappers(wrappers));
    assertTaken(new Lists(lists));
    assertTaken(new Maybes(maybes));
    assertTaken(new Maps(maps));
  }

  /** Pairs have few hash codes, as these are sums. */
  @Test
  void shouldTakeAllPairsOfConsecutiveNumbers() {
    Map<Set<NodeNumber>, Double> distances = new LinkedHashMap<>();
    for (int from = 0; from < 250; from++) {
      for (int to = from + 1; to < 250; to++) {
        distances.put(Set.of(new NodeNumber(from), new NodeNumber(to)), from / (double) to);
      }
    }
    assertTaken(new Distances(distances));
  }

  @Test
  void shouldTakeManySmallSetsOfSmallNumbers() {
    int count = Boolean.getBoolean("ringwire.nightly") ? 200_000 : 50_000;
    Random random = new Random(7);
    Set<Set<Integer>> sets = new LinkedHashSet<>();
    for (int number = 0; number < count; number++) {
      Set<Integer> set = new LinkedHashSet<>();
      while (set.size() < 5) {
        set.add(random.nextInt(3000));
      }
      sets.add(set);
    }
    assertTaken(new Numbers(sets));
  }

  /** On a line, where one point is moved up and its neighbour down: of one hash code. */
  private static Set<Set<Point>> lines(int count, int length) {
    Set<Set<Point>> lines = new LinkedHashSet<>();
    for (int number = 0; number < count; number++) {
      Set<Point> line = new LinkedHashSet<>();
      for (int x = 0; x < length; x++) {
        line.add(new Point(x, x == 2 * number ? 1 : x == 2 * number + 1 ? -1 : 0));
      }
      lines.add(line);
    }
    return lines;
  }

  @ParameterizedTest
  @CsvSource({"4, 100", "8, 60", "16, 32", "30, 60", "60, 120"})
  void shouldTakeLinesOfOneHashCode(int count, int length) {
    Set<Set<Point>> lines = lines(count, length);
    assertThat(lines.stream().mapToInt(Set::hashCode).distinct()).hasSize(1);
    assertAllTaken(lines);
    assertTaken(new Deep(Set.of(lines, lines(count - 1, length), lines(2, length), Set.of())));
  }

  private static Set<Set<Point>> boards(int count, int size, int pieces) {
    Random random = new Random(count);
    Set<Set<Point>> boards = new LinkedHashSet<>();
    while (boards.size() < count) {
      Set<Point> board = new LinkedHashSet<>();
      while (board.size() < pieces) {
        board.add(new Point(random.nextInt(size), random.nextInt(size)));
      }
      boards.add(board);
    }
    return boards;
  }

  @ParameterizedTest
  @CsvSource({"8000, 8, 32", "3000, 100, 5", "3000, 100, 60", "4000, 3, 4", "2000, 1000, 2"})
  void shouldTakeRandomPointsOfABoard(int count, int size, int pieces) {
    int possible = size == 3 ? 126 : count; // of 9 fields, 4
    assertAllTaken(boards(possible, size, pieces));
  }

  @Test
  void shouldTakeAreas() {
    Set<Set<Point>> areas = new LinkedHashSet<>();
    for (int number = 0; number < 1000; number++) {
      Set<Point> area = new LinkedHashSet<>();
      for (int i = 0; i <= number % 100; i++) {
        area.add(new Point(number + i % 10, i / 10));
      }
      areas.add(area);
    }
    Set<Set<Point>> squares = new LinkedHashSet<>(); // with many points of one hash code
    for (int size = 1; size < 60; size += 3) {
      Set<Point> square = new LinkedHashSet<>();
      for (int i = 0; i < size * size; i++) {
        square.add(new Point(i % size, 20 * (i / size)));
      }
      squares.add(square);
    }
    assertAllTaken(areas);
    assertAllTaken(squares);
    assertTaken(new Deep(Set.of(areas, squares, boards(500, 8, 8), boards(400, 8, 8))));
  }

  @Test
  void shouldTakeSetsOfNumbers() {
    Random random = new Random(5);
    Set<Set<Integer>> sets = new LinkedHashSet<>();
    while (sets.size() < 3000) {
      Set<Integer> set = new LinkedHashSet<>();
      for (int i = random.nextInt(200); i >= 0; i--) {
        set.add(random.nextInt());
      }
      sets.add(set);
    }
    assertTaken(new Numbers(sets));
    Set<Set<Integer>> small = new LinkedHashSet<>(); // some 50 of each sum
    for (int a = 0; a < 30; a++) {
      for (int b = 0; b < a; b++) {
        for (int c = 0; c < b; c++) {
          small.add(Set.of(a, b, c));
        }
      }
    }
    assertTaken(new Numbers(small));
  }

  @Test
  void shouldTakeSetsOfWordsAndConstants() {
    Set<Set<String>> words = new LinkedHashSet<>();
    Set<Set<String>> anagrams = new LinkedHashSet<>(); // all of one hash code
    Random random = new Random(3);
    for (int number = 0; number < 4000; number++) {
      Set<String> some = new LinkedHashSet<>();
      for (int count = random.nextInt(12); count >= 0; count--) {
        some.add("word" + random.nextInt(2000));
      }
      words.add(some);
    }
    for (int number = 0; number < 120; number++) {
      Set<String> others = new LinkedHashSet<>();
      for (int bit = 0; bit < 12; bit++) {
        others.add((number >> bit & 1) == 0 ? "Aa" + bit : "BB" + bit);
      }
      anagrams.add(others);
    }
    assertTaken(new Words(words));
    assertTaken(new Words(anagrams));
    Set<Set<Color>> colors = new LinkedHashSet<>(Set.of(Set.of()));
    for (Color color : Color.values()) {
      for (Set<Color> set : List.copyOf(colors)) {
        Set<Color> more = new LinkedHashSet<>(set);
        more.add(color);
        colors.add(more);
      }
    }
    assertTaken(new Colors(colors));
  }

  @Test
  void shouldTakeTrees() {
    Random random = new Random(9);
    List<List<Integer>> children = new ArrayList<>();
    for (int number = 0; number < 20_000; number++) {
      children.add(new ArrayList<>());
      if (number > 0) {
        children.get(random.nextInt(number)).add(number);
      }
    }
    assertTaken(tree(children, 0));
    Tree chain = new Tree(0, Set.of());
    for (int number = 1; number < 250; number++) {
      chain = new Tree(number, Set.of(chain, new Tree(-number, Set.of())));
    }
    assertTaken(chain);
  }

  /** The two halves of any split have the same members together, so all have one hash code. */
  private static Splits splits(int members) {
    Map<Set<Set<NodeNumber>>, Integer> splits = new LinkedHashMap<>();
    for (int bits = 0; bits < 1 << (members - 1); bits++) {
      if (Integer.bitCount(bits) == members / 2) {
        Set<NodeNumber> one = new LinkedHashSet<>();
        Set<NodeNumber> other = new LinkedHashSet<>();
        for (int member = 0; member < members; member++) {
          ((bits >> member & 1) != 0 ? one : other).add(new NodeNumber(member));
        }
        splits.put(Set.of(one, other), bits);
      }
    }
    assertThat(splits.keySet().stream().mapToInt(Set::hashCode).distinct()).hasSize(1);
    return new Splits(splits);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 10})
  void shouldTakeAllWaysToSplitAFewInTwoHalves(int members) {
    assertTaken(splits(members));
  }

  /** What is allowed for them would be for keys that were chosen, too: see encoding.md. */
  @Test
  void shouldRefuseAllWaysToSplitTwelveAndLoseNothingElse() {
    assertThatThrownBy(() -> assertTaken(splits(12)))
        .isExactlyInstanceOf(MessagingException.class)
        .hasMessageContaining("too many keys or elements of one hash code within others");
    assertTaken(splits(10));
  }

  /** A value's hash code is never asked for, however deep the maps in it are. */
  @Test
  void shouldTakeMapsWithinValues() {
    assertTaken(folder(15));
    Map<Set<Integer>, Step> last = new LinkedHashMap<>();
    for (int number = 0; number < 20_000; number++) {
      last.put(Set.of(number, -7 * number - 1), new Step(Map.of()));
    }
    Step chain = new Step(last);
    for (int number = 0; number < 200; number++) {
      chain = new Step(Map.of(Set.of(number), chain));
    }
    assertTaken(chain);
    assertTaken(new Steps(Set.of(chain, new Step(Map.of())))); // here it is, once
  }

  private static Folder folder(int depth) {
    Map<Key, Folder> folders = new LinkedHashMap<>();
    for (int number = 0; depth > 0 && number < 2; number++) {
      folders.put(new Key("folder " + number, Set.of("tag", "of " + depth)), folder(depth - 1));
    }
    return new Folder(folders);
  }

  private static Tree tree(List<List<Integer>> children, int number) {
    Set<Tree> set = new LinkedHashSet<>();
    children.get(number).forEach(child -> set.add(tree(children, child)));
    return new Tree(number, set);
  }
}
