package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringwire.codec.DecodingException;
import org.ringwire.testing.NodeWatcher;

/**
 * Keys that take long to ask for their hash codes, or to compare: with each level twice as long.
 */
@ExtendWith(NodeWatcher.class)
class CostlyKeysTest {

  /** More than a receiver may take, and little enough that a hash code comes to an end. */
  private static final int LEVELS = 27;

  private static final int KEYS = 2_000;

  private final HeapCodec codec =
      HeapCodec.builder().detectCycles(true).accept(Both.class, Own.class).build();

  record Both(Object one, Object other) {}

  /** Its hash code asks nothing of what it holds. */
  record Own(Object one, Object other) {
    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Own;
    }
  }

  static Stream<UnaryOperator<Object>> levels() {
    return Stream.of(
        below -> new ArrayList<>(List.of(below, below)),
        below -> new Both(below, below),
        below -> new HashMap<>(Map.of(1, below, 2, below)),
        below -> new ArrayList<>(List.of(Optional.of(below), new Both(1, below))));
  }

  /** A key that leads to all of that, which nobody has asked for its hash code since. */
  private static Map<Object, Object> mapWithKeyOf(UnaryOperator<Object> level) {
    List<Object> key = new ArrayList<>();
    Map<Object, Object> map = new HashMap<>();
    map.put(key, "value");
    Object shared = "leaf";
    for (int i = 0; i < LEVELS; i++) {
      shared = level.apply(shared);
    }
    key.add(shared);
    return map;
  }

  @ParameterizedTest
  @MethodSource("levels")
  void shouldRefuseKeysWhoseHashCodesWouldTakeTooLong(UnaryOperator<Object> level) {
    byte[] image = codec.encode(mapWithKeyOf(level));
    assertThat(image.length).isLessThan(2_000);
    assertThatThrownBy(() -> codec.decode(image))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("hash codes would take too long");
    assertThat(codec.decode(codec.encode("goes on"))).isEqualTo("goes on");
  }

  /** Three of what one level has, of which each leaves out another one of the level below. */
  private static Object[] triple(int levels, Function<Object[], Object> level) {
    Object[] below = {"AaAa", "AaBB", "BBBB"}; // all have one hash code
    for (int i = 0; i < levels; i++) {
      below =
          new Object[] {
            level.apply(new Object[] {below[1], below[2]}),
            level.apply(new Object[] {below[0], below[2]}),
            level.apply(new Object[] {below[0], below[1]})
          };
    }
    return below;
  }

  static Stream<Function<Object[], Object>> tables() {
    return Stream.of(
        pair -> new LinkedHashSet<>(List.of(pair)),
        pair -> Collections.unmodifiableSet(new LinkedHashSet<>(List.of(pair))),
        pair -> new CopyOnWriteArraySet<>(List.of(pair)),
        pair -> new LinkedHashMap<>(Map.of(pair[0], 1, pair[1], 1)),
        pair -> Collections.synchronizedMap(new LinkedHashMap<>(Map.of(pair[0], 1, pair[1], 1))),
        pair -> new ConcurrentHashMap<>(Map.of(1, pair[0], 2, pair[1])),
        pair -> {
          Set<Object> set = ConcurrentHashMap.newKeySet();
          set.addAll(List.of(pair));
          return set;
        });
  }

  /** Their hash codes take few enough steps, and to compare them takes the square of these. */
  @ParameterizedTest
  @MethodSource("tables")
  void shouldRefuseKeysThatWouldTakeTooLongToCompare(Function<Object[], Object> table) {
    Map<Object, Object> map = new HashMap<>();
    for (int i = 0; i < 2; i++) {
      List<Object> key = new ArrayList<>(List.of(i));
      map.put(key, i);
      key.set(0, triple(LEVELS / 2, table)[i]);
    }
    byte[] image = codec.encode(map);
    assertThat(image.length).isLessThan(4_000);
    assertThatThrownBy(() -> codec.decode(image))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("or to compare them");
  }

  @Test
  void shouldTakeSetsOfSetsThatHaveOneHashCode() {
    Set<Set<Set<Integer>>> sets = new HashSet<>();
    for (int i = 0; i < KEYS; i++) {
      sets.add(Set.of(Set.of(i % 50, -100), Set.of(i / 50, -200), Set.of(-i, i + 1)));
    }
    assertThat(codec.decode(codec.encode(sets))).isEqualTo(sets);
  }

  /** One is long, the others have its place, so each is brought to its length to be compared. */
  private static List<BigDecimal> numbers(int digits, int count) {
    BigDecimal large = new BigDecimal(BigInteger.TEN.pow(digits - 1));
    List<BigDecimal> numbers = new ArrayList<>(List.of(large));
    for (int i = 1; i < count; i++) {
      numbers.add(new BigDecimal(BigInteger.valueOf(1_000_000 + i), 7 - digits));
    }
    return numbers;
  }

  static Stream<Function<List<BigDecimal>, Collection<BigDecimal>>> orders() {
    return Stream.of(
        TreeSet::new,
        PriorityQueue::new,
        ConcurrentSkipListSet::new,
        numbers -> {
          Set<BigDecimal> set = new TreeSet<>(Comparator.nullsFirst(Comparator.reverseOrder()));
          set.addAll(numbers);
          return set;
        });
  }

  @ParameterizedTest
  @MethodSource("orders")
  void shouldRefuseNumbersThatWouldTakeTooLongToCompare(
      Function<List<BigDecimal>, Collection<BigDecimal>> order) {
    byte[] image = codec.encode(order.apply(numbers(200_000, 30)));
    assertThatThrownBy(() -> codec.decode(image))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("numbers that are keys");
    byte[] ofValues = codec.encode(new TreeMap<>(Map.of(1, numbers(200_000, 30))));
    assertThat((Map<?, ?>) codec.decode(ofValues)).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void shouldTakeNumbersThatAreCompared(Function<List<BigDecimal>, Collection<BigDecimal>> order) {
    for (Collection<BigDecimal> numbers :
        List.of(
            order.apply(numbers(300, KEYS)),
            order.apply(numbers(10_000, 200)),
            order.apply(numbers(1_000_000, 1)))) {
      assertThat((Collection<?>) codec.decode(codec.encode(numbers))).hasSameSizeAs(numbers);
    }
  }

  @Test
  void shouldTakeKeysThatBoundTheirHashCodesThemselves() {
    byte[] image = codec.encode(mapWithKeyOf(below -> new Own(below, below)));
    assertThat((Map<?, ?>) codec.decode(image)).hasSize(1);
  }

  @Test
  void shouldTakeManyKeysThatShareWhatTheyHold() {
    List<Object> shared = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      shared.add(new Both(i, "shared"));
    }
    Map<Object, Object> map = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      map.put(new ArrayList<>(List.of(i, shared)), i);
    }
    assertThat(codec.decode(codec.encode(map))).isEqualTo(map);
  }
}
