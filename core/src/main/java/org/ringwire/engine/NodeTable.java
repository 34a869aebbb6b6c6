package org.ringwire.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Something per node id: two steps to look up, no allocation, memory only where ids are in use. */
final class NodeTable<T> {

  private static final int PAGE = 256;

  private final AtomicReferenceArray<AtomicReferenceArray<T>> pages =
      new AtomicReferenceArray<>(PAGE);

  @Nullable T get(int nodeId) {
    AtomicReferenceArray<T> page = pages.get(nodeId >>> 8);
    return page == null ? null : page.get(nodeId & (PAGE - 1));
  }

  /** Puts a value where there is none; the one that is there now. */
  T putIfAbsent(int nodeId, T value) {
    AtomicReferenceArray<T> page = page(nodeId);
    T witness = page.compareAndExchange(nodeId & (PAGE - 1), null, value);
    return witness == null ? value : witness;
  }

  boolean remove(int nodeId, T value) {
    AtomicReferenceArray<T> page = pages.get(nodeId >>> 8);
    return page != null && page.compareAndSet(nodeId & (PAGE - 1), value, null);
  }

  private AtomicReferenceArray<T> page(int nodeId) {
    AtomicReferenceArray<T> page = pages.get(nodeId >>> 8);
    if (page == null) {
      page = new AtomicReferenceArray<>(PAGE);
      AtomicReferenceArray<T> witness = pages.compareAndExchange(nodeId >>> 8, null, page);
      page = witness == null ? page : witness;
    }
    return page;
  }

  /** The values of the moment. */
  List<T> values() {
    List<T> values = new ArrayList<>();
    for (int index = 0; index < PAGE; index++) {
      AtomicReferenceArray<T> page = pages.get(index);
      for (int slot = 0; page != null && slot < PAGE; slot++) {
        T value = page.get(slot);
        if (value != null) {
          values.add(value);
        }
      }
    }
    return values;
  }
}
