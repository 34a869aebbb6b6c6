package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;

/** Maps: keys and values by turns, in the order of iteration. */
final class MapShape extends ContainerShape {
  private static final long ACCESS_ORDER = Raw.offsetOf(LinkedHashMap.class, "accessOrder");

  private final IntFunction<Map<Object, Object>> factory;

  MapShape(Class<?> type, int tag, IntFunction<Map<Object, Object>> factory) {
    super(type, tag);
    this.factory = factory;
  }

  @Override
  int count(Object container) {
    return Math.multiplyExact(2, ((Map<?, ?>) container).size());
  }

  /** Whether a linked map is ordered by access. */
  @Override
  int setting(Object container) {
    return type == LinkedHashMap.class && UNSAFE.getBoolean(container, ACCESS_ORDER) ? 1 : 0;
  }

  @Override
  long encodeReferences(Object container, int count, long a, Encoder e) {
    long at = a;
    Iterator<? extends Map.Entry<?, ?>> entries = ((Map<?, ?>) container).entrySet().iterator();
    for (int i = 0; i < count; i += 2) {
      if (!entries.hasNext()) {
        throw changed(null);
      }
      Map.Entry<?, ?> entry = entries.next();
      at = e.reference(entry.getKey(), at);
      at = e.reference(entry.getValue(), at);
    }
    if (entries.hasNext()) {
      throw changed(null);
    }
    return at;
  }

  @Override
  Object create(int count, int setting) {
    Map<Object, Object> map = factory.apply(count / 2);
    if (setting != 0 && type == LinkedHashMap.class) {
      UNSAFE.putBoolean(map, ACCESS_ORDER, true);
    }
    return map;
  }

  @Override
  @SuppressWarnings("unchecked")
  void fill(Object container, @Nullable Object[] references) {
    if (references.length % 2 != 0) {
      throw new DecodingException("a key has no value: class=" + type.getName());
    }
    Map<@Nullable Object, @Nullable Object> map =
        (Map<@Nullable Object, @Nullable Object>) container;
    for (int i = 0; i < references.length; i += 2) {
      map.put(references[i], references[i + 1]);
    }
  }
}
