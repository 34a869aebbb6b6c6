package org.ringwire.infiniband.memory;

import org.jspecify.annotations.Nullable;

/**
 * Operations one after the other. They hold each other, so that none needs heap to come in; an
 * operation is in one such list at most. Guarded by its owner.
 */
final class Operations {

  private @Nullable Operation first;
  private @Nullable Operation last;
  private int count;

  boolean isEmpty() {
    return first == null;
  }

  int count() {
    return count;
  }

  /** The first, or null; it stays. */
  @Nullable Operation peek() {
    return first;
  }

  /** Takes the first, or null. */
  @Nullable Operation poll() {
    Operation taken = first;
    if (taken != null) {
      remove(taken);
    }
    return taken;
  }

  void add(Operation operation) {
    Operation before = last;
    if (before == null) {
      first = operation;
    } else {
      before.next(operation);
    }
    last = operation;
    count++;
  }

  void addFirst(Operation operation) {
    operation.next(first);
    first = operation;
    if (last == null) {
      last = operation;
    }
    count++;
  }

  /** Takes one out, if it is there. */
  void remove(Operation operation) {
    Operation before = null;
    Operation each = first;
    while (each != null && each != operation) {
      before = each;
      each = each.next();
    }
    if (each == null) {
      return;
    }
    if (before == null) {
      first = each.next();
    } else {
      before.next(each.next());
    }
    if (last == each) {
      last = before;
    }
    each.next(null);
    count--;
  }
}
