package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;

/**
 * What {@link Collections#synchronizedList} and its like make: the collection behind it, and what
 * it locks, which is nothing if it is itself. So there is no cycle where nobody has made one.
 */
final class SynchronizedShape extends ContainerShape {
  /** The first of five. */
  static final int FIRST_TAG = Tags.CONTAINERS + 40;

  private static final int REFERENCES = 2;

  private static final Class<?> COLLECTION =
      Collections.synchronizedCollection(List.of()).getClass();
  private static final Class<?> LIST =
      Collections.synchronizedList(new ArrayList<>()).getClass().getSuperclass();
  private static final Class<?> MAP = Collections.synchronizedMap(Map.of()).getClass();
  private static final long COLLECTION_FIELD = Raw.offsetOf(COLLECTION, "c");
  private static final long COLLECTION_MUTEX = Raw.offsetOf(COLLECTION, "mutex");
  private static final long LIST_FIELD = Raw.offsetOf(LIST, "list");
  private static final long MAP_FIELD = Raw.offsetOf(MAP, "m");
  private static final long MAP_MUTEX = Raw.offsetOf(MAP, "mutex");

  private final boolean isMap;

  private SynchronizedShape(Class<?> type, int tag) {
    super(type, tag);
    this.isMap = type == MAP;
  }

  static List<Shape> all() {
    return List.of(
        new SynchronizedShape(COLLECTION, FIRST_TAG),
        new SynchronizedShape(LIST, FIRST_TAG + 1),
        new SynchronizedShape(
            Collections.synchronizedList(new ArrayList<>()).getClass(), FIRST_TAG + 2),
        new SynchronizedShape(Collections.synchronizedSet(Set.of()).getClass(), FIRST_TAG + 3),
        new SynchronizedShape(MAP, FIRST_TAG + 4));
  }

  @Override
  int count(Object container) {
    return REFERENCES;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // whether it is this very object
  long encodeReferences(Object container, int count, long a, Encoder e) {
    Object mutex = UNSAFE.getReference(container, isMap ? MAP_MUTEX : COLLECTION_MUTEX);
    Object behind = UNSAFE.getReference(container, isMap ? MAP_FIELD : COLLECTION_FIELD);
    return e.reference(mutex == container ? null : mutex, e.reference(behind, a));
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
    boolean isList = LIST.isAssignableFrom(type);
    Class<?> kind = isMap ? Map.class : isList ? List.class : Collection.class;
    if (references.length != REFERENCES || !isOf(type, kind, references[0])) {
      throw new DecodingException("not the content of a view: class=" + type.getName());
    }
    Object mutex = references[1] == null ? container : references[1];
    UNSAFE.putReference(container, isMap ? MAP_MUTEX : COLLECTION_MUTEX, mutex);
    UNSAFE.putReference(container, isMap ? MAP_FIELD : COLLECTION_FIELD, references[0]);
    if (isList) {
      UNSAFE.putReference(container, LIST_FIELD, references[0]);
    }
  }

  /** Sets are behind sets. */
  private static boolean isOf(Class<?> type, Class<?> kind, @Nullable Object behind) {
    return kind.isInstance(behind) && (!Set.class.isAssignableFrom(type) || behind instanceof Set);
  }
}
