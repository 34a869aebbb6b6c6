package org.ringwire.heap.image;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Lists, sets and queues: their elements, in the order of iteration. */
final class CollectionShape extends ContainerShape {
  private final IntFunction<Collection<Object>> factory;

  CollectionShape(Class<?> type, int tag, IntFunction<Collection<Object>> factory) {
    super(type, tag);
    this.factory = factory;
  }

  @Override
  int count(Object container) {
    return ((Collection<?>) container).size();
  }

  @Override
  long encodeReferences(Object container, int count, long a, Encoder e) {
    long at = a;
    Iterator<?> elements = ((Collection<?>) container).iterator();
    for (int i = 0; i < count; i++) {
      if (!elements.hasNext()) {
        throw changed(null);
      }
      at = e.reference(elements.next(), at);
    }
    if (elements.hasNext()) {
      throw changed(null);
    }
    return at;
  }

  @Override
  Object create(int count, int setting) {
    return factory.apply(count);
  }

  @Override
  @SuppressWarnings("unchecked")
  void fill(Object container, @Nullable Object[] references) {
    ((Collection<@Nullable Object>) container).addAll(Arrays.asList(references));
  }
}
