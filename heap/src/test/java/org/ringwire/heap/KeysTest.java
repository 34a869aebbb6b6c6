package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.heap.HeapCodecTest.copy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.codec.DecodingException;
import org.ringwire.testing.NodeWatcher;

/** Keys are complete before their methods run, whatever these look at. */
@ExtendWith(NodeWatcher.class)
@SuppressWarnings({"JdkObsolete", "exports"})
class KeysTest {
  private static final int NESTING = 100;

  /** The parent, with a place for its children in front of what they ask it for. */
  static final class Team implements Validated {
    @Nullable Object scores;
    @Nullable Object players;
    @Nullable String name;
    transient int size;

    @Override
    public void validate() {
      size = scores instanceof Map<?, ?> map ? map.size() : ((Collection<?>) scores).size();
    }
  }

  static final class Player implements Comparable<Player> {
    @Nullable Team team;
    final String name;

    Player(@Nullable Team team, String name) {
      this.team = team;
      this.name = name;
    }

    private String fullName() {
      return Objects.requireNonNull(team).name + "." + name;
    }

    @Override
    public int hashCode() {
      return fullName().hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Player p && p.fullName().equals(fullName());
    }

    @Override
    public int compareTo(Player other) {
      return fullName().compareTo(other.fullName());
    }
  }

  static List<Object> containers() {
    return List.of(
        new HashMap<>(),
        new LinkedHashMap<>(),
        new TreeMap<>(),
        new ConcurrentHashMap<>(),
        new Hashtable<>(),
        new HashSet<>(),
        new LinkedHashSet<>(),
        new TreeSet<>(),
        new TreeSet<>(Comparator.reverseOrder()),
        ConcurrentHashMap.newKeySet(),
        new PriorityQueue<>(),
        Collections.synchronizedMap(new HashMap<>()));
  }

  @ParameterizedTest
  @MethodSource("containers")
  @SuppressWarnings("unchecked")
  void shouldFindChildrenThatAskTheirParent(Object container) {
    Team team = new Team();
    team.scores = container;
    List<Player> players = new ArrayList<>();
    team.players = players;
    team.name = "red";
    for (int i = 0; i < 10; i++) {
      Player player = new Player(team, "p" + i);
      players.add(player);
      if (container instanceof Map<?, ?> map) {
        ((Map<Object, Object>) map).put(player, i);
      } else {
        ((Collection<Object>) container).add(player);
      }
    }

    Team copied = (Team) Objects.requireNonNull(copy(team));

    assertThat(copied.size).isEqualTo(10);
    List<?> others = (List<?>) Objects.requireNonNull(copied.players);
    for (int i = 0; i < 10; i++) {
      if (copied.scores instanceof Map<?, ?> map) {
        assertThat(map.get(others.get(i))).isEqualTo(i);
      } else {
        assertThat(((Collection<?>) copied.scores).contains(others.get(i))).isTrue();
      }
    }
  }

  @Test
  void shouldFindKeysThatAskForWhatIsFilledLater() {
    Team team = new Team();
    Set<Object> names = new HashSet<>();
    team.scores = new HashSet<Object>(); // asks for what is there later
    team.players = names;
    team.name = "blue";
    scoresOf(team).add(new Fan(team, new Name("a")));
    names.add(new Name("x"));
    names.add(new Name(List.of("y")));

    Team copied = (Team) Objects.requireNonNull(copy(team));

    Fan fan = (Fan) scoresOf(copied).iterator().next();
    assertThat(scoresOf(copied)).contains(fan);
    assertThat((Set<?>) copied.players).hasSize(2);
  }

  @SuppressWarnings("unchecked")
  private static Set<Object> scoresOf(Team team) {
    return (Set<Object>) Objects.requireNonNull(team.scores);
  }

  record Name(Object text) {}

  record Key(Name name) {}

  record Link(@Nullable Object next) {}

  /** Its hash needs a set that comes behind that in which it is. */
  record Fan(Team team, Name name) {
    @Override
    public int hashCode() {
      return Objects.hash(name, team.players, team.name);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Fan f && f.name.equals(name);
    }
  }

  record Ordered(Name name) implements Comparable<Ordered> {
    @Override
    public int compareTo(Ordered other) {
      return ((Integer) name.text).compareTo((Integer) other.name.text);
    }
  }

  private static Object nest(Object innermost, int depth) {
    Object nest = innermost;
    for (int i = 0; i < depth; i++) {
      nest = new Link(nest);
    }
    return nest;
  }

  private static @Nullable Object firstIn(@Nullable Object o, Class<?> type) {
    if (type.isInstance(o)) {
      return o;
    }
    Collection<?> next =
        switch (o) {
          case Link link -> Collections.singletonList(link.next);
          case Object[] array -> java.util.Arrays.asList(array);
          case List<?> list -> list;
          case null, default -> List.of();
        };
    for (Object other : next) {
      Object found = firstIn(other, type);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  static List<Integer> depths() {
    List<Integer> depths = new ArrayList<>();
    for (int depth = NESTING - 8; depth < NESTING + 8; depth++) {
      depths.add(depth);
    }
    return depths;
  }

  @ParameterizedTest
  @MethodSource("depths")
  void shouldFindKeysWhoseFieldsWerePutOffWhereTheyWereMetFirst(int depth) {
    Key key = new Key(new Name("n"));
    Object[] graph = {nest(key, depth), new HashSet<>(Set.of(key)), new HashMap<>(Map.of(key, 1))};

    Object[] copied = (Object[]) Objects.requireNonNull(copy(graph));

    assertThat((Set<?>) copied[1]).isEqualTo(Set.of(key));
    assertThat((Map<?, ?>) copied[2]).isEqualTo(Map.of(key, 1));
  }

  @ParameterizedTest
  @MethodSource("depths")
  void shouldSortKeysWhoseFieldsWerePutOffWhereTheyWereMetFirst(int depth) {
    TreeSet<Ordered> sorted =
        new TreeSet<>(Set.of(new Ordered(new Name(1)), new Ordered(new Name(2))));

    Object[] copied =
        (Object[])
            Objects.requireNonNull(copy(new Object[] {nest(sorted.toArray(), depth), sorted}));

    assertThat(copied[1]).isEqualTo(sorted);
  }

  @ParameterizedTest
  @MethodSource("depths")
  void shouldFindKeysOfSetsThatWerePutOff(int depth) {
    Key key = new Key(new Name("n"));
    Link link = new Link(new ArrayList<>(List.of(new HashSet<>(Set.of(key)))));
    for (Object[] last : new Object[][] {{link, key}, {key, link}, {new Object[] {link}, key}}) {
      Object copied = copy(nest(last, depth));

      assertThat(firstIn(copied, Set.class)).isEqualTo(Set.of(key));
    }
  }

  /** A container that is a key has to be filled before its own hash is asked for. */
  @ParameterizedTest
  @MethodSource("depths")
  void shouldFillContainersThatAreKeysFirst(int depth) {
    Set<Object> inner = new HashSet<>(Set.of(new Key(new Name("n"))));
    Set<Object> middle = new HashSet<>(Set.of(inner, 1));
    Map<Object, Object> outer = new HashMap<>(Map.of(new Name(middle), 2));
    Object[][] graphs = {
      {nest(outer, depth), middle, inner},
      {inner, nest(outer, depth)},
      {nest(new Object[] {inner}, depth), outer},
      {nest(new Object[] {middle}, depth), new Object[] {nest(new Object[] {inner}, 5), outer}},
    };
    for (Object[] graph : graphs) {
      Object copied = copy(graph);

      assertThat(firstIn(copied, Map.class)).isEqualTo(outer);
    }
  }

  /** Compared by its number; its hash is made of all that its sets hold. */
  static final class Part {
    final int number;
    @Nullable Object elsewhere;
    final Set<Part> parts = new HashSet<>();
    final Map<Part, Object> more = new HashMap<>();

    Part(int number) {
      this.number = number;
    }

    @Override
    public int hashCode() {
      return number + 31 * parts.hashCode() + 37 * more.keySet().hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Part p && p.number == number;
    }
  }

  private static List<Part> randomParts(Random random) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      Part part = new Part(i);
      for (int k = 0; i > 0 && k < 2; k++) {
        Part inner = parts.get(random.nextInt(i));
        if (random.nextBoolean()) {
          part.parts.add(inner);
        } else {
          part.more.put(inner, "x");
        }
      }
      parts.add(part);
    }
    return parts;
  }

  @Test
  void shouldFillAnyContainersInTheOrderThatTheirKeysNeed() {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      List<Part> parts = randomParts(random);
      for (Part part : parts) { // a value and a field that no hash looks at, around in circles
        part.elsewhere = nest(parts.get(random.nextInt(parts.size())), 40 * random.nextInt(4));
        part.more.replaceAll((_, _) -> parts.get(random.nextInt(parts.size())));
      }
      List<Part> shuffled = new ArrayList<>(parts);
      Collections.shuffle(shuffled, random);

      List<?> copied = (List<?>) Objects.requireNonNull(copy(shuffled));

      for (int i = 0; i < copied.size(); i++) {
        Part part = (Part) copied.get(i);
        assertThat(part.hashCode()).as("round %s", round).isEqualTo(shuffled.get(i).hashCode());
        assertThat(part.parts.containsAll(Set.copyOf(part.parts))).as("round %s", round).isTrue();
        for (Part key : part.more.keySet()) {
          assertThat(part.more.get(key)).as("round %s", round).isNotNull();
        }
      }
    }
  }

  /** Without numbers nothing is met again: inner ones are complete first. */
  @ParameterizedTest
  @ValueSource(ints = {0, NESTING - 2, NESTING - 1, NESTING, NESTING + 1, 3 * NESTING})
  void shouldFillInnerContainersFirstWithoutDetectionOfCycles(int depth) {
    HeapCodec codec =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").detectCycles(false).build();
    Set<Object> inner = new HashSet<>(Set.of(new Key(new Name("n"))));
    Set<Object> outer = new HashSet<>(Set.of(new Name(new HashSet<>(Set.of(inner))), 1));

    assertThat(firstIn(codec.decode(codec.encode(nest(outer, depth))), Set.class)).isEqualTo(outer);
  }

  @Test
  void shouldFillManyNestedContainersWithoutStack() {
    Object innermost = new HashSet<>(Set.of(new Key(new Name("n"))));
    Object[] all = new Object[20_000];
    Object last = innermost;
    for (int i = 0; i < all.length; i++) {
      last = new HashSet<>(Collections.singleton(new Wrapped(last, i)));
      all[i] = last;
    }
    Object[] copied = (Object[]) Objects.requireNonNull(copy(new Object[] {innermost, all}));

    Object[] sets = (Object[]) copied[1];
    for (int i = 0; i < all.length; i++) {
      assertThat(((Set<?>) sets[i]).contains(new Wrapped("", i))).isTrue();
    }
  }

  /** Compared by its number only, so that a long chain can be asked. */
  record Wrapped(Object content, int number) {
    @Override
    public int hashCode() {
      return number;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Wrapped w && w.number == number;
    }
  }

  /** Its hash cannot be had until its set is filled, which is read after it. */
  @SuppressWarnings("ArrayRecordComponent") // shared on purpose
  record Eldest(Object[] place) {
    private Object eldest() {
      return ((Set<?>) place[0]).iterator().next();
    }

    @Override
    public int hashCode() {
      return eldest().hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Eldest e && e.eldest().equals(eldest());
    }
  }

  @Test
  void shouldFillAgainWhatFailsAsLongAsAKeyMissesSomething() {
    Object[] place = {null, null};
    Set<Object> late = new HashSet<>(Set.of(new Key(new Name("n"))));
    place[0] = late;
    Set<Object> early = new HashSet<>(Set.of(new Eldest(place)));
    late.add(new Wrapped(place, 0));
    place[1] = early;

    Object[] copied = (Object[]) Objects.requireNonNull(copy(new Object[] {early, place}));

    Object key = ((Set<?>) copied[0]).iterator().next();
    assertThat(((Set<?>) copied[0]).contains(key)).isTrue();
  }

  /** Each asks the next one, which is filled later; and the other way around. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldFillLongChainsOfWhatIsFilledLater(boolean isReversed) {
    int length = 60;
    Object[][] places = new Object[length][2];
    Set<Object> last = new HashSet<>(Set.of(new Key(new Name("n"))));
    List<Set<Object>> sets = new ArrayList<>(List.of(last));
    for (int i = 1; i < length; i++) {
      Object[] place = places[i];
      place[0] = last;
      last = new HashSet<>(Set.of(new Eldest(place)));
      last.add(new Wrapped(place, 0));
      place[1] = last;
      sets.add(last);
    }
    Collections.shuffle(sets, new Random(3));
    List<Set<Object>> sent = isReversed ? new ArrayList<>(sets.reversed()) : sets;

    List<?> copied = (List<?>) Objects.requireNonNull(copy(sent));

    for (Object set : copied) {
      for (Object key : ((Set<?>) set).toArray()) {
        assertThat(((Set<?>) set).contains(key)).isTrue();
      }
    }
  }

  /** Its own hash has the set that it is in: it is not found at the sender either. */
  @Test
  void shouldEndWhereAKeyAsksForItsOwnSet() {
    Part part = new Part(1);
    part.elsewhere = new Object[] {part};
    Set<Object> around = new HashSet<>();
    around.add(new Around(around));
    around.add(part);

    Around.ASKED.set(0);
    Set<?> copied = (Set<?>) Objects.requireNonNull(copy(around));

    assertThat(copied).hasSize(2);
    assertThat(Around.ASKED.get()).isLessThan(10);
  }

  record Around(Set<?> set) {
    static final ThreadLocal<Integer> ASKED = ThreadLocal.withInitial(() -> 0);

    @Override
    public int hashCode() {
      ASKED.set(ASKED.get() + 1);
      return set.size();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }
  }

  @Test
  void shouldSayWhichCollectionCannotBeFilledAtTheEnd() {
    Team team = new Team();
    team.scores = new HashMap<>(Map.of(new Name("key"), 1));
    team.players = new HashSet<Object>(List.of(new Stubborn(new Name(1))));

    assertThatThrownBy(() -> copy(team))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("a collection cannot be filled: class=java.util.HashSet")
        .hasMessageContaining("no hash here");
  }

  record Stubborn(Name name) {
    static final ThreadLocal<Integer> ASKED = ThreadLocal.withInitial(() -> 0);

    @Override
    public int hashCode() {
      ASKED.set(ASKED.get() + 1);
      if (ASKED.get() > 1) {
        throw new IllegalStateException("no hash here");
      }
      return 1;
    }
  }
}
