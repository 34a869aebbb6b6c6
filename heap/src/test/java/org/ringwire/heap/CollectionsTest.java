package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.heap.HeapCodecTest.copy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringwire.heap.Samples.Colour;
import org.ringwire.heap.Samples.Empty;
import org.ringwire.heap.Samples.IdentityKey;
import org.ringwire.heap.Samples.Person;
import org.ringwire.testing.NodeWatcher;

/** Collections and maps of the platform work at the receiver, whatever their hash codes. */
@ExtendWith(NodeWatcher.class)
@SuppressWarnings({"JdkObsolete", "ReferenceEquality", "BadImport", "IdentityHashMapUsage"})
class CollectionsTest {

  static Stream<Collection<Object>> collections() {
    List<Object> content = List.of("a", 2, "c", 4L);
    return Stream.of(
        new ArrayList<>(content),
        new LinkedList<>(content),
        new ArrayDeque<>(content),
        new Vector<>(content),
        new CopyOnWriteArrayList<>(content),
        new HashSet<>(content),
        new LinkedHashSet<>(content),
        new ConcurrentLinkedQueue<>(content),
        new ConcurrentLinkedDeque<>(content),
        new ArrayList<>());
  }

  @ParameterizedTest
  @MethodSource("collections")
  void shouldCopyCollections(Collection<Object> collection) {
    Collection<?> copied = (Collection<?>) copy(collection);

    assertThat(copied).hasSameClassAs(collection);
    assertThat(copied.toArray()).containsExactlyInAnyOrder(collection.toArray());
  }

  static Stream<Object> unmodifiable() {
    return Stream.of(
        List.of(),
        List.of(1),
        List.of(1, 2, 3),
        Set.of(),
        Set.of("a"),
        Set.of(1, 2, 3, 4),
        Map.of(),
        Map.of("a", 1),
        Map.of("a", 1, "b", 2, "c", 3),
        Map.entry("k", "v"),
        Collections.unmodifiableList(new ArrayList<>(List.of(1, 2))),
        Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))),
        Collections.unmodifiableSet(new HashSet<>(List.of(1, 2))),
        Collections.singletonList(5),
        Collections.singleton(5),
        Collections.singletonMap(5, 6));
  }

  @ParameterizedTest
  @MethodSource("unmodifiable")
  void shouldCopyWhatCannotBeModified(Object object) {
    Object copied = copy(object);

    assertThat(copied).isEqualTo(object);
    assertThat(copied.hashCode()).isEqualTo(object.hashCode());
    if (copied instanceof List<?> list) {
      assertThatThrownBy(list::removeLast)
          .isInstanceOfAny(
              UnsupportedOperationException.class, java.util.NoSuchElementException.class);
    }
  }

  static Stream<Map<Object, Object>> maps() {
    return Stream.of(
        new HashMap<>(),
        new LinkedHashMap<>(),
        new ConcurrentHashMap<>(),
        new Hashtable<>(),
        new TreeMap<>());
  }

  @ParameterizedTest
  @MethodSource("maps")
  void shouldCopyMaps(Map<Object, Object> map) {
    for (int i = 0; i < 1000; i++) {
      map.put("key " + i, i % 7 == 0 ? List.of(i) : i);
    }

    Map<?, ?> copied = (Map<?, ?>) copy(map);

    assertThat(copied).hasSameClassAs(map);
    assertThat(copied.equals(map)).isTrue();
    assertThat(copied.get("key 500")).isEqualTo(500);
  }

  @Test
  void shouldFindKeysWhoseHashCodeIsTheirIdentity() {
    IdentityKey key = new IdentityKey(5);
    Map<Object, Object> map =
        new HashMap<>(Map.of(key, "own", Colour.RED, "enum", IdentityKey.class, "class"));
    Map<Object, Object> identities = new IdentityHashMap<>(map);
    Object[] graph = {
      key, map, new HashSet<>(Set.of(key)), identities, Map.of(key, 1), Set.of(key, 2)
    };

    Object[] copied = (Object[]) copy(graph);

    for (int i : new int[] {1, 3}) {
      Map<?, ?> found = (Map<?, ?>) copied[i];
      assertThat(found.get(copied[0])).isEqualTo("own");
      assertThat(found.get(Colour.RED)).isEqualTo("enum");
      assertThat(found.get(IdentityKey.class)).isEqualTo("class");
    }
    assertThat(((Set<?>) copied[2]).contains(copied[0])).isTrue();
    assertThat(((Map<?, ?>) copied[4]).get(copied[0])).isEqualTo(1);
    assertThat(((Set<?>) copied[5]).contains(copied[0])).isTrue();
  }

  @Test
  void shouldFillInnerSetsBeforeTheyAreKeys() {
    Set<Object> inner = new HashSet<>(Set.of("a", "b"));
    Set<Object> outer = new HashSet<>();
    outer.add(inner);
    Map<Object, Object> map = new HashMap<>();
    map.put(outer, "found");
    map.put(new Person("p", 1, null, new ArrayList<>(List.of("t"))), "person");

    Object[] copied = (Object[]) copy(new Object[] {inner, map, outer});

    Map<?, ?> found = (Map<?, ?>) copied[1];
    assertThat(found.get(copied[2])).isEqualTo("found");
    assertThat(found.get(Set.of(Set.of("a", "b")))).isEqualTo("found");
    assertThat(found.get(new Person("p", 1, null, List.of("t")))).isEqualTo("person");
  }

  @Test
  void shouldFillDeepSetsBeforeTheyAreKeys() {
    Object nest = "bottom";
    for (int i = 0; i < 250; i++) {
      nest = new ArrayList<>(List.of(nest));
    }
    Set<Object> inner = new HashSet<>(List.of(nest, "marker"));
    Set<Object> outer = new HashSet<>(List.of(inner, "other"));
    Map<Object, Object> map = new HashMap<>(Map.of(outer, 1, inner, 2));

    Object[] copied = (Object[]) copy(new Object[] {inner, outer, map});

    Map<?, ?> found = (Map<?, ?>) copied[2];
    assertThat(((Set<?>) copied[1]).contains(copied[0])).isTrue();
    assertThat(found.get(copied[1])).isEqualTo(1);
    assertThat(found.get(copied[0])).isEqualTo(2);
  }

  @Test
  void shouldCopyCollectionsThatHoldThemselves() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    Map<Object, Object> map = new HashMap<>();
    map.put("self", map);
    map.put("list", list);

    Map<?, ?> copied = (Map<?, ?>) copy(map);

    assertThat(copied.get("self") == copied).isTrue();
    List<?> copiedList = (List<?>) copied.get("list");
    assertThat(copiedList.get(0) == copiedList).isTrue();
  }

  @Test
  void shouldKeepComparatorsAndOrder() {
    TreeMap<Object, Object> map = new TreeMap<>(Collections.reverseOrder());
    map.putAll(Map.of("a", 1, "b", 2, "c", 3));
    TreeSet<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    set.addAll(List.of("b", "A", "C"));
    PriorityQueue<Integer> queue =
        new PriorityQueue<>(Comparator.<Integer>naturalOrder().reversed());
    queue.addAll(List.of(3, 1, 2));
    LinkedHashMap<Object, Object> byAccess = new LinkedHashMap<>(8, 0.75f, true);
    byAccess.put("a", 1);
    byAccess.put("b", 2);

    Object[] copied = (Object[]) copy(new Object[] {map, set, queue, byAccess});

    assertThat(((Map<?, ?>) copied[0]).keySet().toString()).isEqualTo("[c, b, a]");
    assertThat(copied[1].toString()).isEqualTo("[A, b, C]");
    assertThat(((TreeSet<?>) copied[1]).comparator()).isSameAs(String.CASE_INSENSITIVE_ORDER);
    assertThat(((PriorityQueue<?>) copied[2]).poll()).isEqualTo(3);
    Map<?, ?> access = (Map<?, ?>) copied[3];
    access.get("a");
    assertThat(access.keySet().toString()).isEqualTo("[b, a]");
  }

  @Test
  void shouldCopyCollectionsOfConstants() {
    EnumMap<Colour, Object> map = new EnumMap<>(Colour.class);
    map.put(Colour.GREEN, map);
    Object[] graph = {
      map,
      EnumSet.of(Colour.RED),
      EnumSet.noneOf(Empty.class),
      new EnumMap<Empty, String>(Empty.class)
    };

    Object[] copied = (Object[]) copy(graph);

    assertThat(((Map<?, ?>) copied[0]).get(Colour.GREEN)).isSameAs(copied[0]);
    assertThat(copied[1]).isEqualTo(EnumSet.of(Colour.RED));
    assertThat(copied[2]).isEqualTo(EnumSet.noneOf(Empty.class));
    assertThat((Map<?, ?>) copied[3]).isEmpty();
  }

  @Test
  void shouldCopyOtherWrappers() {
    Stack<Object> stack = new Stack<>();
    stack.push("x");
    Set<Object> concurrent = ConcurrentHashMap.newKeySet();
    concurrent.add("y");
    List<Object> synced = Collections.synchronizedList(new ArrayList<>(Arrays.asList("z", null)));

    Object[] copied = (Object[]) copy(new Object[] {stack, concurrent, synced});

    assertThat(((Stack<?>) copied[0]).peek()).isEqualTo("x");
    assertThat(((Set<?>) copied[1]).contains("y")).isTrue();
    assertThat(copied[2]).isEqualTo(synced);
  }

  static Stream<Collection<Object>> synchronizedOnes() {
    return Stream.of(
        Collections.synchronizedCollection(new ArrayDeque<>(List.of(1, "a"))),
        Collections.synchronizedList(new ArrayList<>(List.of(1, "a"))),
        Collections.synchronizedList(new LinkedList<>(List.of(1, "a"))),
        Collections.synchronizedSet(new LinkedHashSet<>(List.of(1, "a"))));
  }

  /** They lock themselves, and some have two fields for what is behind them. */
  @ParameterizedTest
  @MethodSource("synchronizedOnes")
  @SuppressWarnings("unchecked")
  void shouldCopySynchronizedViewsAlsoWithoutDetectionOfCycles(Collection<Object> view) {
    for (boolean detects : new boolean[] {true, false}) {
      HeapCodec codec = HeapCodec.builder().detectCycles(detects).build();
      Object[] graph = {view, view};

      Object[] copied = (Object[]) codec.decode(codec.encode(graph));
      Collection<Object> first = (Collection<Object>) copied[0];
      first.add("more");

      assertThat(first).hasSameClassAs(view);
      assertThat(first.toArray()).containsExactly(1, "a", "more");
      if (first instanceof List<Object> list) {
        assertThat(list.get(2)).isEqualTo("more");
      }
      assertThat(copied[0] == copied[1]).isEqualTo(detects);
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void shouldCopySynchronizedMapsWithWhatTheyLock() {
    Map<Object, Object> map = Collections.synchronizedMap(new ConcurrentHashMap<>());
    map.put("a", 1);
    for (boolean detects : new boolean[] {true, false}) {
      HeapCodec codec = HeapCodec.builder().detectCycles(detects).build();

      Object[] copied = (Object[]) codec.decode(codec.encode(new Object[] {map, map.keySet()}));
      Map<Object, Object> copy = (Map<Object, Object>) copied[0];
      copy.put("b", 2);

      assertThat(copy).isEqualTo(Map.of("a", 1, "b", 2)).hasSameClassAs(map);
      assertThat((Set<Object>) copied[1]).contains("a").hasSameClassAs(map.keySet());
      assertThat(((Set<Object>) copied[1]).contains("b")).isEqualTo(detects);
    }
  }

  @Test
  void shouldCopySynchronizedViewsThatHoldThemselvesAndLieDeep() {
    List<Object> innermost = Collections.synchronizedList(new ArrayList<>());
    innermost.add(innermost);
    List<Object> list = innermost;
    for (int i = 0; i < 500; i++) {
      list = Collections.synchronizedList(new ArrayList<>(Collections.singletonList(list)));
    }

    Object copied = copy(list);
    for (int i = 0; i < 500; i++) {
      copied = ((List<?>) copied).get(0);
    }

    assertThat(((List<?>) copied).get(0)).isSameAs(copied);
  }

  static Stream<Object> unmodifiableOnes() {
    return Stream.of(
        Collections.unmodifiableCollection(new ArrayDeque<>(List.of(1, 2))),
        Collections.unmodifiableList(new LinkedList<>(List.of(1, 2))),
        Collections.unmodifiableList(new ArrayList<>(List.of(1, 2))),
        Collections.unmodifiableSet(new LinkedHashSet<>(List.of(1, 2))),
        Collections.unmodifiableSortedSet(new TreeSet<>(List.of(1, 2))),
        Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))),
        Collections.unmodifiableSortedMap(new TreeMap<>(Map.of(1, 2))));
  }

  @ParameterizedTest
  @MethodSource("unmodifiableOnes")
  void shouldCopyUnmodifiableViews(Object view) {
    for (boolean detects : new boolean[] {true, false}) {
      HeapCodec codec = HeapCodec.builder().detectCycles(detects).build();

      Object copied = codec.decode(codec.encode(view));

      assertThat(copied).hasSameClassAs(view).asString().isEqualTo(view.toString());
      if (!(view instanceof Collection<?>) || view instanceof List<?> || view instanceof Set<?>) {
        assertThat(copied).isEqualTo(view);
      }
    }
  }

  /** Who forwards what has come sends the views that lists have arrived as. */
  @Test
  void shouldForwardListsWithinListsWithoutSendingThemTwice() {
    HeapCodec codec = HeapCodec.builder().detectCycles(false).build();
    List<?> nested = List.of(1);
    for (int depth = 0; depth < 12; depth++) {
      nested = List.of(nested);
    }
    byte[] first = codec.encode(nested);

    Object arrived = codec.decode(first);
    byte[] forwarded = codec.encode(arrived);

    assertThat(codec.decode(forwarded)).isEqualTo(nested);
    assertThat(forwarded.length).isLessThan(3 * first.length);
  }
}
