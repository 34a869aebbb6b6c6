package org.ringwire.heap.image.container;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;

/**
 * {@link LinkedBlockingQueue} and {@link LinkedBlockingDeque}: the elements of the moment, from the
 * first to the last; the setting is the capacity. Who waits for room or elements stays behind.
 */
final class BlockingQueueShape extends ElementsShape {
  private final long capacity;

  BlockingQueueShape(Class<?> type, int tag) {
    super(type, tag);
    capacity = Raw.offsetOf(type, "capacity");
  }

  @Override
  protected int setting(Object container) {
    return UNSAFE.getInt(container, capacity);
  }

  @Override
  protected Object create(int count, int setting) {
    if (setting < Math.max(1, count)) {
      throw new DecodingException(
          "more elements than a queue has room for: class="
              + type().getName()
              + " elements="
              + count
              + " capacity="
              + setting);
    }
    return tag() == ContainerTags.BLOCKING_QUEUE
        ? new LinkedBlockingQueue<>(setting)
        : new LinkedBlockingDeque<>(setting);
  }

  @Override
  protected boolean isKey(int index) {
    return false;
  }
}
