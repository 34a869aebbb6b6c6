package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.Samples.IdentityKey;
import org.ringwire.testing.NodeWatcher;

/** Collections and maps that few graphs have, as {@link CollectionsTest} has the others. */
@ExtendWith(NodeWatcher.class)
@SuppressWarnings("ReferenceEquality")
class RareCollectionsTest {
  private static final List<String> CONTENT = List.of("b", "a", "c");

  private static @Nullable Object copy(Object o, boolean detects) {
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    HeapCodec plain =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").detectCycles(false).build();
    return codec.decode((detects ? codec : plain).encode(o));
  }

  static Stream<Object> all() {
    TreeMap<String, Integer> map = new TreeMap<>(Comparator.reverseOrder());
    map.putAll(Map.of("a", 1, "b", 2, "c", 3));
    TreeSet<String> set = new TreeSet<>(Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER));
    set.addAll(CONTENT);
    Set<String> concurrent = Collections.newSetFromMap(new ConcurrentHashMap<>());
    concurrent.addAll(CONTENT);
    return Stream.of(
        Collections.synchronizedSortedMap(map),
        Collections.synchronizedNavigableMap(map),
        Collections.synchronizedSortedSet(set),
        Collections.synchronizedNavigableSet(set),
        Collections.unmodifiableNavigableMap(map),
        Collections.unmodifiableNavigableSet(set),
        Collections.unmodifiableSequencedCollection(new ArrayList<>(CONTENT)),
        Collections.unmodifiableSequencedSet(new LinkedHashSet<>(CONTENT)),
        Collections.unmodifiableSequencedMap(new LinkedHashMap<>(Map.of("a", 1))),
        concurrent,
        new ConcurrentSkipListMap<>(map),
        new ConcurrentSkipListSet<>(set),
        new ConcurrentSkipListSet<>(),
        new CopyOnWriteArraySet<>(CONTENT),
        new CopyOnWriteArraySet<>(),
        new LinkedBlockingQueue<>(CONTENT),
        new LinkedBlockingDeque<>(CONTENT),
        new LinkedBlockingDeque<>(5),
        new PriorityBlockingQueue<>(CONTENT),
        EnumSet.of(Character.UnicodeScript.LATIN, Character.UnicodeScript.TAMIL),
        EnumSet.noneOf(Character.UnicodeScript.class),
        EnumSet.allOf(Character.UnicodeScript.class));
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldCopyOnesThatWorkAsTheirOriginals(Object original) {
    for (boolean detects : new boolean[] {true, false}) {
      Object copied =
          HeapCodec.builder()
              .accept(Character.UnicodeScript.class)
              .detectCycles(detects)
              .build()
              .decode(HeapCodec.builder().detectCycles(detects).build().encode(original));

      assertThat(copied).hasSameClassAs(original).asString().isEqualTo(original.toString());
      if (original instanceof Set<?> || original instanceof Map<?, ?>) {
        assertThat(copied).isEqualTo(original);
      }
      if (copied instanceof NavigableMap<?, ?> map) {
        assertThat(map.firstKey()).isEqualTo("c");
        assertThat(map.descendingMap().get("a")).isEqualTo(1);
      }
      if (copied instanceof NavigableSet<?> set && !set.isEmpty()) {
        assertThat(set.first()).isEqualTo("c");
        assertThat(set.descendingSet().first()).isEqualTo("a");
        assertThat(set.contains("B")).isTrue(); // by its comparator
      }
      workOn(copied);
    }
  }

  /** Unless it cannot be changed. */
  @SuppressWarnings("unchecked")
  private static void workOn(@Nullable Object copied) {
    String name = String.valueOf(copied == null ? null : copied.getClass().getSimpleName());
    if (name.startsWith("Unmodifiable") || copied instanceof EnumSet<?>) {
      return;
    }
    if (copied instanceof Map<?, ?> map) {
      ((Map<Object, Object>) map).put("more", 4);
      assertThat(map.keySet().contains("more")).isTrue();
    } else {
      Collection<Object> collection = (Collection<Object>) copied;
      assertThat(collection.add("more")).isTrue();
      assertThat(collection.contains("more")).isTrue();
      assertThat(collection.remove("more")).isTrue();
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void shouldKeepTheCapacityOfQueues() {
    for (BlockingQueue<String> queue :
        List.of(new LinkedBlockingQueue<String>(3), new LinkedBlockingDeque<String>(3))) {
      queue.addAll(List.of("a", "b"));

      BlockingQueue<String> copied = (BlockingQueue<String>) copy(queue, true);

      assertThat(copied.remainingCapacity()).isEqualTo(1);
      assertThat(copied.offer("c")).isTrue();
      assertThat(copied.offer("d")).isFalse();
      assertThat(copied.poll()).isEqualTo("a");
    }
  }

  /** It would not be one: its receiver has no room for what it has. */
  @Test
  void shouldRefuseQueuesWithMoreElementsThanRoom() {
    HeapCodec codec = HeapCodec.builder().build();
    for (Object queue : List.of(new LinkedBlockingQueue<>(3), new LinkedBlockingDeque<>(3))) {
      byte[] image = codec.encode(queue);
      int capacity = 16 + 1 + Integer.BYTES; // behind header, tag and number of elements
      assertThat(image[capacity]).isEqualTo((byte) 3);
      for (byte wrong : new byte[] {0, -1}) {
        Arrays.fill(image, capacity, capacity + Integer.BYTES, wrong);
        assertThatThrownBy(() -> codec.decode(image))
            .isInstanceOf(DecodingException.class)
            .hasMessageContaining("room");
      }
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void shouldFindKeysOfSetsFromMapsWhateverTheirHashCode() {
    IdentityKey key = new IdentityKey(5);
    Set<Object> identities = Collections.newSetFromMap(new IdentityHashMap<>());
    identities.add(key);
    Set<Object> concurrent = Collections.newSetFromMap(new ConcurrentHashMap<>());
    concurrent.add(key);
    Set<Object> synced = Collections.newSetFromMap(Collections.synchronizedMap(new HashMap<>()));
    synced.add(key);
    Set<Object> ordered = new CopyOnWriteArraySet<>(List.of(key, "x"));
    Map<Object, Object> outer = new HashMap<>(Map.of(new HashSet<>(concurrent), "found"));

    Object[] copied =
        (Object[]) copy(new Object[] {key, identities, concurrent, synced, ordered, outer}, true);

    for (int i = 1; i <= 4; i++) {
      Set<Object> set = (Set<Object>) copied[i];
      assertThat(set.contains(copied[0])).as("%s", i).isTrue();
      assertThat(set.iterator().next() == copied[0]).as("%s", i).isTrue();
      assertThat(set.remove(copied[0])).as("%s", i).isTrue();
    }
    assertThat(((Map<Object, Object>) copied[5]).get(Set.of(copied[0]))).isEqualTo("found");
  }

  @Test
  @SuppressWarnings("unchecked")
  void shouldCopySetsThatHoldThemselves() {
    Set<Object> set = Collections.newSetFromMap(new IdentityHashMap<>());
    set.add(set);
    LinkedBlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    queue.add(queue);
    Set<Object> listed = new CopyOnWriteArraySet<>();
    listed.add(listed);

    Object[] copied = (Object[]) copy(new Object[] {set, queue, listed}, true);

    for (Object copy : copied) {
      assertThat(((Collection<Object>) copy).iterator().next() == copy).isTrue();
      assertThat((Collection<Object>) copy).hasSize(1);
    }
  }

  /** These are of the classes of whole ones, but have other maps behind them. */
  @Test
  void shouldCopyPartsOfSortedSetsAndOfListsThatCannotBeModified() {
    TreeSet<String> set = new TreeSet<>(CONTENT);
    ConcurrentSkipListSet<String> skips = new ConcurrentSkipListSet<>(CONTENT);
    for (NavigableSet<String> all : List.of(set, skips)) {
      for (NavigableSet<String> part : List.of(all.descendingSet(), all.headSet("b", true))) {
        NavigableSet<?> copied = (NavigableSet<?>) copy(part, true);

        assertThat(new ArrayList<Object>(copied)).isEqualTo(new ArrayList<Object>(part));
        assertThat(copied.comparator()).isEqualTo(part.comparator());
      }
    }
    assertThat(copy(List.of(1, 2, 3, 4).subList(1, 3), true)).isEqualTo(List.of(2, 3));
    assertThat(copy(List.of(1, 2).subList(0, 0), true)).isEqualTo(List.of());
  }

  @Test
  @SuppressWarnings("unchecked")
  void shouldCopyOrdersThatAreMadeOfOthers() {
    Comparator<String> order =
        Comparator.nullsFirst(Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER));
    TreeMap<@Nullable String, Integer> map = new TreeMap<>(order);
    map.put("a", 1);
    map.put("B", 2);
    map.put(null, 0);

    Map<@Nullable String, Integer> copied = (Map<@Nullable String, Integer>) copy(map, true);

    assertThat(copied.values()).containsExactly(0, 2, 1);
    assertThat(copied.get("A")).isEqualTo(1);
  }

  @Test
  void shouldCopyCurrenciesAddersAndSourcesOfNumbers() {
    LongAdder adder = new LongAdder();
    adder.add(5);
    Random random = new Random(7);
    double _ = random.nextGaussian(); // which leaves another one behind

    Object[] copied =
        (Object[]) copy(new Object[] {Currency.getInstance("EUR"), adder, random}, true);
    Random copy = (Random) copied[2];

    assertThat(copied[0]).isSameAs(Currency.getInstance("EUR"));
    assertThat(((LongAdder) copied[1]).sum()).isEqualTo(5);
    assertThat(copy.nextGaussian()).isEqualTo(random.nextGaussian());
    assertThat(copy.nextLong()).isEqualTo(random.nextLong());
  }

  /** With what the set of keys is made of. */
  static final class OwnMap extends AbstractMap<String, Boolean> {
    private final Map<String, Boolean> inner = new LinkedHashMap<>();

    @Override
    public Set<Map.Entry<String, Boolean>> entrySet() {
      return inner.entrySet();
    }

    @Override
    public @Nullable Boolean put(String key, Boolean value) {
      return inner.put(key, value);
    }

    @Override
    public Set<String> keySet() {
      return inner.keySet();
    }
  }

  static final class Link {
    @Nullable Set<String> set;
    @Nullable Link next;
  }

  /** A map that is put off is not there yet when the set is, and cannot say which keys it has. */
  @Test
  void shouldKeepSetsFromMapsThatAreNestedAtAnyDepth() {
    for (Supplier<Map<String, Boolean>> maps :
        List.<Supplier<Map<String, Boolean>>>of(
            OwnMap::new,
            HashMap::new,
            ConcurrentHashMap::new,
            () -> Collections.synchronizedMap(new HashMap<>()))) {
      Link first = new Link();
      Link last = first;
      for (int i = 0; i < 250; i++) {
        last.set = Collections.newSetFromMap(maps.get());
        last.set.add("at " + i);
        last.next = new Link();
        last = last.next;
      }
      int depth = 0;
      for (Link link = (Link) copy(first, true); link != null && link.set != null; ) {
        assertThat(link.set).containsExactly("at " + depth++);
        link = link.next;
      }
      assertThat(depth).isEqualTo(250);
    }
  }

  /** Its methods look at the content of sets, which have to be filled before it. */
  @Test
  void shouldFindSetsFromMapsThatAreKeys() {
    Set<Set<String>> keys = new HashSet<>();
    for (String word : CONTENT) {
      Set<String> key = Collections.newSetFromMap(Collections.synchronizedMap(new HashMap<>()));
      key.add(word);
      keys.add(key);
    }

    Set<?> copy = (Set<?>) Objects.requireNonNull(copy(keys, true));

    assertThat(copy).hasSize(CONTENT.size());
    assertThat(copy.contains(Set.of("a"))).isTrue();
  }

  enum Twice {
    ONE
  }

  /** Has a class of its own with that name, as each of two applications may. */
  private static final class OtherApplication extends ClassLoader {
    private Class<?> twice() throws IOException {
      String name = Twice.class.getName();
      try (InputStream file = Twice.class.getResourceAsStream("RareCollectionsTest$Twice.class")) {
        byte[] bytes = Objects.requireNonNull(file).readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      }
    }
  }

  @Test
  void shouldRefuseKeysThatOnlyTheSenderTellsApart() throws IOException {
    HeapCodec codec = HeapCodec.builder().accept(Twice.class).build();
    Class<?> here = Twice.class;
    Class<?> other = new OtherApplication().twice();
    Object one = Twice.ONE;
    Object two = Objects.requireNonNull(other.getEnumConstants())[0];
    Map<Object, Integer> byIdentity = Collections.synchronizedMap(new IdentityHashMap<>());
    byIdentity.put(here, 1);
    byIdentity.put(other, 2);
    for (Object graph :
        List.of(
            new HashMap<>(Map.of(here, 1, other, 2)),
            new HashSet<>(List.of(one, two)),
            new ConcurrentHashMap<>(Map.of(List.of(one), 1, List.of(two), 2)),
            Set.of(here, other),
            byIdentity)) {
      byte[] image = codec.encode(graph);
      assertThatThrownBy(() -> codec.decode(image))
          .isInstanceOf(DecodingException.class)
          .hasMessageContaining("equal here that its sender tells apart");
    }
    assertThat(codec.decode(codec.encode(new ArrayList<>(List.of(here, two)))))
        .isEqualTo(List.of(here, one));
  }
}
