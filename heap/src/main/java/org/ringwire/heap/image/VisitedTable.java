package org.ringwire.heap.image;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.shape.Shape;

/**
 * The objects of a graph that were written already, with their numbers. For one thread.
 *
 * <p>The first identity hash of an object costs as much as encoding it several times over, so a
 * place is first looked for by a number made of the object's content, within a window of a few
 * slots; only what finds the window full goes by identity. That is sound because nothing is ever
 * removed: a window that was full when an object was inserted is full whenever it is looked for. An
 * object whose content was changed by another thread since is not found, and is a new one: the
 * graph arrives as a mixture of its states, with one copy for each. Nothing here depends on
 * addresses, so every collector may move objects at any time.
 *
 * <p>The table is never cleared between graphs: a slot holds the number of an object plus a base
 * that grows by the size of each graph, so older entries are recognised by being too small.
 */
final class VisitedTable {
  private static final int FIRST_CAPACITY = 256;
  private static final int KEPT_CAPACITY = 1 << 18;
  private static final int WINDOW = 8;

  /** A reference, at most, a hash and two slots. */
  private static final long BYTES_EACH = Long.BYTES + 3 * Integer.BYTES;

  private @Nullable Object[] objects = new @Nullable Object[FIRST_CAPACITY];
  private int[] hashes = new int[FIRST_CAPACITY];
  private int[] slots = new int[2 * FIRST_CAPACITY];
  private int base = 1;
  private int count;

  int count() {
    return count;
  }

  /**
   * Looks for an object and inserts it if it is not there.
   *
   * @param hash {@link Shape#contentHash}
   * @return its number, or -1 if it was inserted
   */
  @SuppressWarnings("ReferenceEquality") // identity is what this is about
  int visit(Object o, int hash) {
    if (hash != 0) {
      int mask = slots.length - 1;
      for (int i = 0; i < WINDOW; i++) {
        int slot = (hash + i) & mask;
        int number = slots[slot] - base;
        if (number < 0) {
          return insert(o, hash, slot);
        }
        if (objects[number] == o) {
          return number;
        }
      }
    }
    return visitByIdentity(o, hash);
  }

  @SuppressWarnings("ReferenceEquality")
  private int visitByIdentity(Object o, int hash) {
    int mask = slots.length - 1;
    int slot = Shape.mix(System.identityHashCode(o)) & mask;
    for (; ; slot = (slot + 1) & mask) {
      int number = slots[slot] - base;
      if (number < 0) {
        return insert(o, hash, slot);
      }
      if (objects[number] == o) {
        return number;
      }
    }
  }

  private int insert(Object o, int hash, int slot) {
    int number = count++;
    objects[number] = o;
    hashes[number] = hash;
    slots[slot] = base + number;
    if (count == objects.length) {
      grow();
    }
    return -1;
  }

  private void grow() {
    int capacity = Math.multiplyExact(objects.length, 2);
    int[] newSlots = new int[Math.multiplyExact(capacity, 2)];
    int[] newHashes = Arrays.copyOf(hashes, capacity);
    objects = Arrays.copyOf(objects, capacity); // the last that may lack memory
    hashes = newHashes;
    slots = newSlots;
    base = 1;
    for (int number = 0; number < count; number++) {
      place(number);
    }
  }

  /** As in {@link #visit}, for an object that is known to be new. */
  private void place(int number) {
    int mask = slots.length - 1;
    int hash = hashes[number];
    if (hash != 0) {
      for (int i = 0; i < WINDOW; i++) {
        int slot = (hash + i) & mask;
        if (slots[slot] == 0) {
          slots[slot] = base + number;
          return;
        }
      }
    }
    int slot = Shape.mix(System.identityHashCode(objects[number])) & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = base + number;
  }

  /** Forgets all objects, and memory that was needed for a large graph. Needs no heap. */
  void clear() {
    if (objects.length > KEPT_CAPACITY) {
      clearLarge();
      return;
    }
    Arrays.fill(objects, 0, count, null);
    base += count;
    count = 0;
    if (base > Integer.MAX_VALUE - KEPT_CAPACITY) {
      Arrays.fill(slots, 0);
      base = 1;
    }
  }

  private void clearLarge() {
    try {
      trim();
    } catch (OutOfMemoryError e) { // then it stays large; its objects may not stay
      Arrays.fill(objects, 0, count, null);
      Arrays.fill(slots, 0);
      base = 1;
      count = 0;
    }
  }

  /** Bytes that an empty table has beyond those that it has at first. */
  long spareBytes() {
    return BYTES_EACH * (objects.length - FIRST_CAPACITY);
  }

  /** Frees these, and forgets all objects. Where there is no heap the table stays as it is. */
  void trim() {
    int[] newHashes = new int[FIRST_CAPACITY];
    int[] newSlots = new int[2 * FIRST_CAPACITY];
    objects = new @Nullable Object[FIRST_CAPACITY]; // the last that may lack memory
    hashes = newHashes;
    slots = newSlots;
    base = 1;
    count = 0;
  }
}
