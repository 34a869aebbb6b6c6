package org.ringwire.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A bounded stack of idle buffers that any thread may push to and pop from; lock-free, allocates
 * nothing. Last in, first out, because the memory used last is the likeliest to be in a cache.
 *
 * <p>Buffers lie in slots. Each slot is in one of two linked lists, the full and the empty ones,
 * and is owned by one thread while it moves from one to the other. The head of a list is one word:
 * the index of its first slot and a tag that grows with every change. A pop reads the head, then
 * the link of the first slot, then compares and sets the head; had the slot been taken and come
 * back in between (the ABA problem), the tag would differ. The tag has 40 bits: it would have to go
 * around once, hours of nothing but changes, while one thread is between two instructions.
 */
final class BufferStack {

  static final int MAX_CAPACITY = 1 << 16;

  private static final int INDEX_BITS = 24;
  private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

  /** Index that ends a list. */
  private static final int END = (int) INDEX_MASK;

  private static final VarHandle FULL;
  private static final VarHandle EMPTY;
  private static final VarHandle LINK =
      MethodHandles.arrayElementVarHandle(int[].class).withInvokeExactBehavior();

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      FULL = lookup.findVarHandle(BufferStack.class, "full", long.class);
      EMPTY = lookup.findVarHandle(BufferStack.class, "empty", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final @Nullable ReceiveBuffer[] slots;
  private final int[] links;

  @SuppressWarnings("unused") // accessed through FULL
  private volatile long full = END;

  @SuppressWarnings("unused") // accessed through EMPTY
  private volatile long empty = END;

  BufferStack(int capacity) {
    slots = new ReceiveBuffer[capacity];
    links = new int[capacity];
    for (int slot = capacity - 1; slot >= 0; slot--) {
      add(EMPTY, slot);
    }
  }

  /** Returns false if it is full. */
  boolean push(ReceiveBuffer buffer) {
    int slot = take(EMPTY);
    if (slot == END) {
      return false;
    }
    slots[slot] = buffer; // published by the compare-and-set in add
    add(FULL, slot);
    return true;
  }

  /** Returns null if it is empty. */
  @Nullable ReceiveBuffer pop() {
    int slot = take(FULL);
    if (slot == END) {
      return null;
    }
    ReceiveBuffer buffer = slots[slot];
    slots[slot] = null;
    add(EMPTY, slot);
    return buffer;
  }

  /** Removes the first slot of a list, or returns END. */
  private int take(VarHandle head) {
    while (true) {
      long seen = (long) head.getVolatile(this);
      int slot = (int) (seen & INDEX_MASK);
      if (slot == END) {
        return END;
      }
      int link = (int) LINK.getOpaque(links, slot); // if stale, the tag has changed
      if (head.compareAndSet(this, seen, changed(seen, link))) {
        return slot;
      }
    }
  }

  /** Puts a slot, owned by this thread, in front of a list. */
  private void add(VarHandle head, int slot) {
    while (true) {
      long seen = (long) head.getVolatile(this);
      LINK.setOpaque(links, slot, (int) (seen & INDEX_MASK));
      if (head.compareAndSet(this, seen, changed(seen, slot))) {
        return;
      }
    }
  }

  private static long changed(long head, int slot) {
    return (head | INDEX_MASK) + 1 | slot;
  }
}
