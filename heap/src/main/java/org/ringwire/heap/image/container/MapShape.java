package org.ringwire.heap.image.container;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Output;

/** Maps: keys and values by turns, in the order of iteration. */
@SuppressWarnings("JdkObsolete") // to be sent, not to be used
final class MapShape extends EntriesShape {
  private static final long ACCESS_ORDER = Raw.offsetOf(LinkedHashMap.class, "accessOrder");

  MapShape(Class<?> type, int tag) {
    super(type, tag);
  }

  @Override
  protected int count(Object container) {
    return Math.multiplyExact(2, ((Map<?, ?>) container).size());
  }

  /** Whether a linked map is ordered by access. */
  @Override
  protected int setting(Object container) {
    return type() == LinkedHashMap.class && UNSAFE.getBoolean(container, ACCESS_ORDER) ? 1 : 0;
  }

  @Override
  protected long encodeReferences(Object container, int count, long a, Output out) {
    return encodeEntries((Map<?, ?>) container, count, a, out);
  }

  @Override
  protected Object create(int count, int setting) {
    Map<Object, Object> map = empty(count / 2);
    if (setting != 0 && type() == LinkedHashMap.class) {
      UNSAFE.putBoolean(map, ACCESS_ORDER, true);
    }
    return map;
  }

  private Map<Object, Object> empty(int entries) {
    return switch (tag()) {
      case ContainerTags.HASH_MAP -> HashMap.newHashMap(entries);
      case ContainerTags.LINKED_HASH_MAP -> LinkedHashMap.newLinkedHashMap(entries);
      case ContainerTags.IDENTITY_HASH_MAP -> new IdentityHashMap<>(entries);
      case ContainerTags.CONCURRENT_HASH_MAP -> new ConcurrentHashMap<>();
      case ContainerTags.HASHTABLE -> new Hashtable<>();
      default -> throw new IllegalStateException("no such map: tag=" + tag());
    };
  }

  @Override
  protected boolean isKey(int index) {
    return index % 2 == 0 && tag() != ContainerTags.IDENTITY_HASH_MAP;
  }

  @Override
  @SuppressWarnings("unchecked")
  protected void fill(Object container, @Nullable Object[] references) {
    if (references.length % 2 != 0) {
      throw new DecodingException("a key has no value: class=" + type().getName());
    }
    Map<@Nullable Object, @Nullable Object> map =
        (Map<@Nullable Object, @Nullable Object>) container;
    for (int i = 0; i < references.length; i += 2) {
      map.put(references[i], references[i + 1]);
    }
  }
}
