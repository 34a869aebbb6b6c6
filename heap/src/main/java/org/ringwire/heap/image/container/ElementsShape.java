package org.ringwire.heap.image.container;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.shape.ContainerShape;
import org.ringwire.heap.image.shape.Output;

/** A collection that is its elements, in the order of iteration, and is filled by adding them. */
abstract class ElementsShape extends ContainerShape {

  ElementsShape(Class<?> type, int tag) {
    super(type, tag);
  }

  @Override
  protected final int count(Object container) {
    return ((Collection<?>) container).size();
  }

  @Override
  protected final long encodeReferences(Object container, int count, long a, Output out) {
    long at = a;
    Iterator<?> elements = ((Collection<?>) container).iterator();
    for (int i = 0; i < count; i++) {
      if (!elements.hasNext()) {
        throw changed(null);
      }
      at = out.reference(elements.next(), at);
    }
    if (elements.hasNext()) {
      throw changed(null);
    }
    return at;
  }

  @Override
  @SuppressWarnings("unchecked")
  protected void fill(Object container, @Nullable Object[] references) {
    ((Collection<@Nullable Object>) container).addAll(Arrays.asList(references));
  }
}
