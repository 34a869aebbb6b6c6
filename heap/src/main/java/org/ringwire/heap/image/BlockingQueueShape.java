package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;

/**
 * {@link LinkedBlockingQueue} and {@link LinkedBlockingDeque}: the elements of the moment, from the
 * first to the last; the setting is the capacity. Who waits for room or elements stays behind.
 */
final class BlockingQueueShape extends ContainerShape {
  private final long capacity;

  BlockingQueueShape(Class<?> type, int tag) {
    super(type, tag);
    capacity = Raw.offsetOf(type, "capacity");
  }

  @Override
  int count(Object container) {
    return ((Collection<?>) container).size();
  }

  @Override
  int setting(Object container) {
    return UNSAFE.getInt(container, capacity);
  }

  @Override
  long encodeReferences(Object container, int count, long a, Encoder e) {
    long at = a;
    Iterator<?> elements = ((Collection<?>) container).iterator();
    for (int i = 0; i < count; i++) {
      at = e.reference(elements.next(), at);
    }
    if (elements.hasNext()) {
      throw changed(null);
    }
    return at;
  }

  @Override
  Object create(int count, int setting) {
    if (setting < Math.max(1, count)) {
      throw new DecodingException(
          "more elements than a queue has room for: class="
              + type.getName()
              + " elements="
              + count
              + " capacity="
              + setting);
    }
    return tag == RareContainers.BLOCKING_QUEUE
        ? new LinkedBlockingQueue<>(setting)
        : new LinkedBlockingDeque<>(setting);
  }

  @Override
  boolean isKey(int index) {
    return false;
  }

  @Override
  @SuppressWarnings("unchecked")
  void fill(Object container, @Nullable Object[] references) {
    ((Collection<@Nullable Object>) container).addAll(Arrays.asList(references));
  }
}
