package org.ringwire.engine.services;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Something per node id: two steps to look up, no allocation, memory only where ids are in use.
 *
 * <p>Any thread. {@code ids} has every id for which there ever was a value, so that going through
 * the values costs what they are, and not what ids there might be: timers do it for ever. An id is
 * added before its value is put and never taken out, so whoever sees the value in its slot has seen
 * its id, whatever was removed meanwhile. The last list is kept for as long as it is right: {@code
 * changes} is counted up after each change and read before a list is made, so a list that was
 * overtaken by a change bears a number that is not the current one any more.
 */
public final class NodeTable<T> {

  private static final int PAGE = 256;

  private final AtomicReferenceArray<AtomicReferenceArray<T>> pages =
      new AtomicReferenceArray<>(PAGE);

  private final ConcurrentSkipListSet<Integer> ids = new ConcurrentSkipListSet<>();
  private final AtomicInteger changes = new AtomicInteger();
  private volatile Listed<T> listed = new Listed<>(0, List.of());

  /** The values after a number of changes. */
  private record Listed<T>(int changes, List<T> values) {}

  /** The value of a node, or null. */
  public @Nullable T get(int nodeId) {
    AtomicReferenceArray<T> page = pages.get(nodeId >>> 8);
    return page == null ? null : page.get(nodeId & (PAGE - 1));
  }

  /** Puts a value where there is none; the one that is there now. */
  public T putIfAbsent(int nodeId, T value) {
    ids.add(nodeId); // first
    AtomicReferenceArray<T> page = page(nodeId);
    T witness = page.compareAndExchange(nodeId & (PAGE - 1), null, value);
    changes.incrementAndGet();
    return witness == null ? value : witness;
  }

  /** Takes a value out if it is there. */
  public boolean remove(int nodeId, T value) {
    AtomicReferenceArray<T> page = pages.get(nodeId >>> 8);
    boolean removed = page != null && page.compareAndSet(nodeId & (PAGE - 1), value, null);
    changes.incrementAndGet();
    return removed;
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

  /** The values of the moment, by rising id; not to be changed. */
  public List<T> values() {
    int number = changes.get(); // before the slots are read
    Listed<T> last = listed;
    if (last.changes() == number) {
      return last.values();
    }
    List<T> values = new ArrayList<>();
    for (int nodeId : ids) {
      T value = get(nodeId);
      if (value != null) {
        values.add(value);
      }
    }
    Listed<T> made = new Listed<>(number, Collections.unmodifiableList(values));
    listed = made;
    return made.values();
  }
}
