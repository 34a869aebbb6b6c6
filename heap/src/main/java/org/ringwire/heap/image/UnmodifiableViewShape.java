package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;

/**
 * What {@link Collections#unmodifiableList} and its like make, and what {@code List.of} arrives as:
 * the collection behind it. Some have a field for it in each of two classes; sent as objects they
 * would carry their content twice where cycles are not looked for, and one within the other twice
 * as often.
 */
final class UnmodifiableViewShape extends ContainerShape {
  /** The first of seven. */
  static final int FIRST_TAG = Tags.CONTAINERS + 48;

  private static final List<Collection<?>> EXAMPLES =
      List.of(
          Collections.unmodifiableCollection(new ArrayList<>()),
          Collections.unmodifiableList(new ArrayList<>()),
          Collections.unmodifiableSet(Set.of()),
          Collections.unmodifiableSortedSet(new TreeSet<>()));

  private static final Class<?> COLLECTION = EXAMPLES.get(0).getClass();
  private static final Class<?> INDEXED = EXAMPLES.get(1).getClass();
  private static final Class<?> LIST = INDEXED.getSuperclass();
  private static final Class<?> SORTED_SET = EXAMPLES.get(3).getClass();
  private static final Class<?> MAP = Collections.unmodifiableMap(Map.of()).getClass();
  private static final Class<?> SORTED_MAP =
      Collections.unmodifiableSortedMap(new TreeMap<>()).getClass();

  private final Class<?> behind;
  private final long[] fields;

  private UnmodifiableViewShape(Class<?> type, int tag, Class<?> behind, long... fields) {
    super(type, tag);
    this.behind = behind;
    this.fields = fields;
  }

  static List<Shape> all() {
    long collection = Raw.offsetOf(COLLECTION, "c");
    long list = Raw.offsetOf(LIST, "list");
    long map = Raw.offsetOf(MAP, "m");
    Class<?> set = EXAMPLES.get(2).getClass();
    return List.of(
        new UnmodifiableViewShape(COLLECTION, FIRST_TAG, Collection.class, collection),
        new UnmodifiableViewShape(LIST, FIRST_TAG + 1, List.class, collection, list),
        new UnmodifiableViewShape(INDEXED, FIRST_TAG + 2, List.class, collection, list),
        new UnmodifiableViewShape(set, FIRST_TAG + 3, Set.class, collection),
        new UnmodifiableViewShape(
            SORTED_SET, FIRST_TAG + 4, SortedSet.class, collection, Raw.offsetOf(SORTED_SET, "ss")),
        new UnmodifiableViewShape(MAP, FIRST_TAG + 5, Map.class, map),
        new UnmodifiableViewShape(
            SORTED_MAP, FIRST_TAG + 6, SortedMap.class, map, Raw.offsetOf(SORTED_MAP, "sm")));
  }

  @Override
  int count(Object container) {
    return 1;
  }

  @Override
  long encodeReferences(Object container, int count, long a, Encoder e) {
    return e.reference(UNSAFE.getReference(container, fields[0]), a);
  }

  @Override
  Object create(int count, int setting) {
    return Raw.allocate(type);
  }

  @Override
  boolean isKey(int index) {
    return false;
  }

  @Override
  void fill(Object container, @Nullable Object[] references) {
    if (references.length != 1 || !behind.isInstance(references[0])) {
      throw new DecodingException("not the content of a view: class=" + type.getName());
    }
    for (long field : fields) {
      UNSAFE.putReference(container, field, references[0]);
    }
  }
}
