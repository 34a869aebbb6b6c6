package org.ringwire.heap.image.container;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.memory.Raw;

/**
 * {@link CopyOnWriteArraySet}: its elements. They go into the list behind it as they come: to
 * compare each with all before it would let a short image take hours.
 */
final class CopyOnWriteSetShape extends ElementsShape {
  private final long list = Raw.offsetOf(CopyOnWriteArraySet.class, "al");

  CopyOnWriteSetShape(Class<?> type, int tag) {
    super(type, tag);
  }

  @Override
  protected Object create(int count, int setting) {
    return new CopyOnWriteArraySet<>();
  }

  /** No method of an element runs. */
  @Override
  protected boolean isKey(int index) {
    return false;
  }

  @Override
  @SuppressWarnings("unchecked")
  protected void fill(Object container, @Nullable Object[] references) {
    Object elements = UNSAFE.getReference(container, list);
    ((Collection<@Nullable Object>) elements).addAll(Arrays.asList(references));
  }
}
