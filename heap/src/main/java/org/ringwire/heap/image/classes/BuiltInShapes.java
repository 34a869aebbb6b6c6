package org.ringwire.heap.image.classes;

import static org.ringwire.heap.image.container.ContainerTags.ARRAY_LIST;
import static org.ringwire.heap.image.container.ContainerTags.CONCURRENT_HASH_MAP;
import static org.ringwire.heap.image.container.ContainerTags.SEQUENCED_VIEWS;
import static org.ringwire.heap.image.container.ContainerTags.SORTED_VIEWS;
import static org.ringwire.heap.image.container.ContainerTags.SYNCHRONIZED_VIEWS;
import static org.ringwire.heap.image.container.ContainerTags.UNMODIFIABLE;
import static org.ringwire.heap.image.container.ContainerTags.UNMODIFIABLE_VIEWS;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.container.ContainerTags;
import org.ringwire.heap.image.container.Containers;
import org.ringwire.heap.image.container.RareContainers;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Tags;
import org.ringwire.heap.image.template.Templates;
import org.ringwire.heap.image.value.BoxShape;
import org.ringwire.heap.image.value.ClassShape;
import org.ringwire.heap.image.value.SingletonShape;
import org.ringwire.heap.image.value.StringShape;
import org.ringwire.heap.image.value.ValueShape;

/**
 * The shapes of the classes that every image knows. Each is made when its class or its tag is first
 * met, together with the others of its kind: to make all of them takes longer than the first graph
 * of a JVM. Until then the classes are known by their names. Any thread.
 */
final class BuiltInShapes {
  private static final String SYNCHRONIZED = "java.util.Collections$Synchronized";
  private static final String VIEW = "java.util.Collections$Unmodifiable";

  private static final Map<String, Integer> TAGS = new HashMap<>(); // never changes after init

  // Both belong to who has the lock of this class.
  private static final Map<Class<?>, Shape> MADE = new HashMap<>();
  private static final @Nullable Shape[] BY_TAG = new @Nullable Shape[Tags.COUNT];

  /** Tags that a class has: what is made for others would take new ordinals each time. */
  private static final boolean[] USED = new boolean[Tags.COUNT];

  /** Tags of those that are made apart from the others. */
  private static final boolean[] RARE = new boolean[Tags.COUNT];

  /** How many were made; written with the lock. */
  private static volatile int count;

  static {
    names(Tags.STRING, "java.lang.", "String", "Boolean", "Byte", "Character", "Short", "Integer");
    names(Tags.LONG, "java.lang.", "Long", "Float", "Double");
    names(Tags.PRIMITIVE_ARRAYS, "[", "Z", "B", "C", "S", "I", "J", "F", "D");
    names(Tags.OBJECT, "", "java.lang.Object", "[Ljava.lang.Object;", "[Ljava.lang.String;");
    names(Tags.CLASS, "java.lang.", "Class");
    for (String name : List.of("EmptyList", "EmptySet", "EmptyMap", "EmptyIterator")) {
      names(Tags.SINGLETON, "java.util.Collections$", name);
    }
    names(Tags.SINGLETON, "java.util.Collections$", "ReverseComparator");
    names(Tags.SINGLETON, "java.util.Comparators$", "NaturalOrderComparator");
    names(Tags.SINGLETON, "java.lang.String$", "CaseInsensitiveComparator");
    names(Tags.VALUES, "java.", "math.BigInteger", "math.BigDecimal", "net.URI", "util.Locale");
    names(Tags.VALUES + 4, "java.", "time.ZoneOffset", "time.ZoneRegion", "lang.StringBuilder");
    names(
        Tags.VALUES + 7, "java.", "nio.charset.Charset", "util.Date", "time.Period", "util.BitSet");
    names(Tags.VALUES + 11, "java.util.", "Currency", "concurrent.atomic.LongAdder");
    names(ARRAY_LIST, "java.util.", "ArrayList", "LinkedList", "ArrayDeque", "Vector", "Stack");
    names(ContainerTags.COPY_ON_WRITE_LIST, "java.util.concurrent.", "CopyOnWriteArrayList");
    names(ContainerTags.HASH_SET, "java.util.", "HashSet", "LinkedHashSet");
    names(ContainerTags.CONCURRENT_QUEUE, "java.util.concurrent.", "ConcurrentLinkedQueue");
    names(ContainerTags.CONCURRENT_DEQUE, "java.util.concurrent.", "ConcurrentLinkedDeque");
    names(ContainerTags.HASH_MAP, "java.util.", "HashMap", "LinkedHashMap", "IdentityHashMap");
    names(CONCURRENT_HASH_MAP, "java.util.", "concurrent.ConcurrentHashMap", "Hashtable");
    names(ContainerTags.TREE_MAP, "java.util.", "TreeMap", "TreeSet", "PriorityQueue");
    names(ContainerTags.ENUM_MAP, "java.util.", "EnumMap", "RegularEnumSet");
    names(SYNCHRONIZED_VIEWS, SYNCHRONIZED, "Collection", "List", "RandomAccessList", "Set", "Map");
    names(UNMODIFIABLE_VIEWS, VIEW, "Collection", "List", "RandomAccessList", "Set", "SortedSet");
    names(UNMODIFIABLE_VIEWS + 5, VIEW, "Map", "SortedMap");
    names(UNMODIFIABLE, "java.util.ImmutableCollections$", "SubList");
    for (String name : List.of("List", "Set", "Map")) {
      int tag = UNMODIFIABLE + (name.equals("Map") ? 2 : name.equals("Set") ? 1 : 0);
      names(tag, "java.util.ImmutableCollections$", name + (name.equals("Map") ? "1" : "12"));
      names(tag, "java.util.ImmutableCollections$", name + "N");
    }
    rareNames();
    add(StringShape.INSTANCE); // what arrays of strings expect
  }

  private BuiltInShapes() {}

  private static void rareNames() {
    String concurrent = "java.util.concurrent.";
    rare(ContainerTags.COPY_ON_WRITE_SET, concurrent, "CopyOnWriteArraySet");
    rare(ContainerTags.BLOCKING_QUEUE, concurrent, "LinkedBlockingQueue", "LinkedBlockingDeque");
    rare(ContainerTags.SET_FROM_MAP, "java.util.Collections$", "SetFromMap");
    rare(ContainerTags.SKIP_LIST_MAP, concurrent, "ConcurrentSkipListMap", "ConcurrentSkipListSet");
    rare(ContainerTags.PRIORITY_BLOCKING_QUEUE, concurrent, "PriorityBlockingQueue");
    rare(ContainerTags.LARGE_ENUM_SET, "java.util.", "JumboEnumSet");
    rare(SORTED_VIEWS, SYNCHRONIZED, "SortedSet", "SortedMap", "NavigableSet", "NavigableMap");
    rare(SEQUENCED_VIEWS, VIEW, "NavigableSet", "NavigableMap");
    rare(SEQUENCED_VIEWS + 2, VIEW, "SequencedCollection", "SequencedSet", "SequencedMap");
  }

  private static void rare(int firstTag, String prefix, String... names) {
    names(firstTag, prefix, names);
    Arrays.fill(RARE, firstTag, firstTag + names.length, true);
  }

  private static void names(int firstTag, String prefix, String... names) {
    int tag = firstTag;
    for (String name : names) {
      USED[tag] = true;
      TAGS.put(prefix + name, tag++);
    }
  }

  /** The names of all. */
  static Set<String> names() {
    return Collections.unmodifiableSet(TAGS.keySet());
  }

  /** Whether every image knows a class of that name, so that nobody has to accept it. */
  static boolean hasName(String name) {
    return TAGS.containsKey(name);
  }

  /** Whether every image knows a class. */
  static boolean has(Class<?> type) {
    return type.getClassLoader() == null && TAGS.containsKey(type.getName());
  }

  /** The shape of a class, or null if not every image knows it. */
  static @Nullable Shape of(Class<?> type) {
    Integer tag = type.getClassLoader() == null ? TAGS.get(type.getName()) : null;
    return tag == null ? null : made(type, tag);
  }

  private static synchronized @Nullable Shape made(Class<?> type, int tag) {
    if (!MADE.containsKey(type)) {
      make(tag);
    }
    return MADE.get(type);
  }

  /** The shape that all images know by a tag, or null if there is none. */
  static synchronized @Nullable Shape withTag(int tag) {
    if (BY_TAG[tag] == null && USED[tag]) {
      make(tag);
    }
    return BY_TAG[tag];
  }

  /** How many were made; if it is more than before, a table of them is out of date. */
  static int count() {
    return count;
  }

  /**
   * Puts what was made so far into a table by tag.
   *
   * @return how many those are
   */
  static synchronized int copyTo(Shape[] table) {
    for (int tag = 0; tag < Tags.DECLARED; tag++) {
      Shape shape = BY_TAG[tag];
      if (shape != null) {
        table[tag] = shape;
      }
    }
    return count;
  }

  private static void make(int tag) {
    if (RARE[tag]) {
      addAll(RareContainers.all());
    } else if (tag >= Tags.CONTAINERS) {
      addAll(Containers.isPlain(tag) ? Containers.plain() : Containers.others());
    } else if (tag >= Tags.VALUES) {
      addAll(ValueShape.all());
    } else if (tag >= Tags.PRIMITIVE_ARRAYS && tag < Tags.OBJECT) {
      addPrimitiveArray(tag);
    } else if (tag >= Tags.BOOLEAN && tag < Tags.PRIMITIVE_ARRAYS) {
      addAll(BoxShape.all());
    } else {
      makeOther(tag);
    }
  }

  private static void makeOther(int tag) {
    switch (tag) {
      case Tags.OBJECT -> add(Templates.object(Object.class, Shapes.RULES));
      case Tags.OBJECT_ARRAY -> add(Templates.referenceArray(Object[].class, tag, null));
      case Tags.STRING_ARRAY ->
          add(Templates.referenceArray(String[].class, tag, StringShape.INSTANCE));
      case Tags.CLASS -> add(new ClassShape());
      case Tags.SINGLETON -> addAll(SingletonShape.all());
      default -> {} // no class has it
    }
  }

  private static void addPrimitiveArray(int tag) {
    Class<?> type =
        switch (tag - Tags.PRIMITIVE_ARRAYS) {
          case 0 -> boolean[].class;
          case 1 -> byte[].class;
          case 2 -> char[].class;
          case 3 -> short[].class;
          case 4 -> int[].class;
          case 5 -> long[].class;
          case 6 -> float[].class;
          default -> double[].class;
        };
    add(Templates.primitiveArray(type, tag));
  }

  private static void addAll(List<Shape> shapes) {
    for (Shape shape : shapes) { // no lambda: this runs before the first graph of a JVM
      add(shape);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
  private static void add(Shape shape) {
    MADE.put(shape.type(), shape);
    if (BY_TAG[shape.tag()] == null) {
      BY_TAG[shape.tag()] = shape;
    }
    count++;
  }
}
