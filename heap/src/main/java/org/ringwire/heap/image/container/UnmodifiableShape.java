package org.ringwire.heap.image.container;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.ContainerShape;
import org.ringwire.heap.image.shape.Output;

/**
 * What {@code List.of}, {@code Set.of} and {@code Map.of} make. Their own classes take all content
 * at once and lay it out by a number that every JVM draws anew, so they arrive as unmodifiable
 * views ({@link Collections#unmodifiableList} and so on) that have the sender's order.
 */
final class UnmodifiableShape extends ContainerShape {
  private static final long LIST = backing(Collections.unmodifiableList(List.of()), "list");
  private static final long COLLECTION =
      Raw.offsetOf(Collections.unmodifiableCollection(List.of()).getClass(), "c");
  private static final long MAP =
      Raw.offsetOf(Collections.unmodifiableMap(Map.of()).getClass(), "m");

  UnmodifiableShape(Class<?> type, int tag) {
    super(type, tag);
  }

  @Override
  public boolean isExact() {
    return false;
  }

  /** Lists that allow access by index have a class below the one with the field. */
  private static long backing(List<?> view, String field) {
    return Raw.offsetOf(view.getClass().getSuperclass(), field);
  }

  /** What a received one is a view of. */
  private static Object backing(Object view) {
    long field = view instanceof Map ? MAP : view instanceof List ? LIST : COLLECTION;
    return UNSAFE.getReference(view, field);
  }

  @Override
  protected int count(Object container) {
    return container instanceof Map<?, ?> map
        ? Math.multiplyExact(2, map.size())
        : ((Collection<?>) container).size();
  }

  @Override
  protected long encodeReferences(Object container, int count, long a, Output out) {
    long at = a;
    if (container instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        at = out.reference(entry.getKey(), at);
        at = out.reference(entry.getValue(), at);
      }
      return at;
    }
    Iterator<?> elements = ((Collection<?>) container).iterator();
    while (elements.hasNext()) {
      at = out.reference(elements.next(), at);
    }
    return at;
  }

  @Override
  protected Object create(int count, int setting) {
    if (Map.class.isAssignableFrom(type())) {
      return Collections.unmodifiableMap(LinkedHashMap.newLinkedHashMap(count / 2));
    }
    return Set.class.isAssignableFrom(type())
        ? Collections.unmodifiableSet(LinkedHashSet.newLinkedHashSet(count))
        : Collections.unmodifiableList(new ArrayList<>(count));
  }

  @Override
  protected void clear(Object container) {
    super.clear(backing(container));
  }

  @Override
  protected boolean isKey(int index) {
    return Map.class.isAssignableFrom(type()) ? index % 2 == 0 : Set.class.isAssignableFrom(type());
  }

  @Override
  @SuppressWarnings("unchecked")
  protected void fill(Object container, @Nullable Object[] references) {
    if (container instanceof Map) {
      if (references.length % 2 != 0) {
        throw new DecodingException("a key has no value: class=" + type().getName());
      }
      Map<@Nullable Object, @Nullable Object> map =
          (Map<@Nullable Object, @Nullable Object>) backing(container);
      for (int i = 0; i < references.length; i += 2) {
        map.put(references[i], references[i + 1]);
      }
      return;
    }
    ((Collection<@Nullable Object>) backing(container)).addAll(Arrays.asList(references));
  }
}
