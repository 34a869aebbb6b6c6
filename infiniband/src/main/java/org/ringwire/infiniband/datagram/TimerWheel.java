package org.ringwire.infiniband.datagram;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Deadlines of any number of things, a millisecond apart: each is in one of {@value #SLOTS} lists.
 * An entry comes when its time is there <em>or before</em>: what lies beyond the lists, and what
 * was put off since, is looked at again then. So moving a deadline back costs nothing, and the
 * number of entries is that of things. One thread.
 */
public final class TimerWheel<T> {

  private static final int SLOTS = 256;
  private static final int MASK = SLOTS - 1;
  private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final @Nullable Entry<T>[] slots;
  private final long startNs;
  private long tick; // all before are empty
  private int count;

  /** The place of a thing in a wheel. */
  public static final class Entry<T> {
    private final T owner;
    private @Nullable Entry<T> next;
    private @Nullable Entry<T> previous;
    private long tick = -1;

    /** In no wheel yet. */
    public Entry(T owner) {
      this.owner = owner;
    }

    /** Whose it is. */
    public T owner() {
      return owner;
    }
  }

  /** Empty. */
  @SuppressWarnings("unchecked") // arrays of generic types
  public TimerWheel(long nowNs) {
    startNs = nowNs;
    slots = (@Nullable Entry<T>[]) new Entry<?>[SLOTS];
  }

  /** Lets an entry come at a time at the latest. */
  public void schedule(Entry<T> entry, long deadlineNs) {
    long due = (deadlineNs - startNs + TICK_NS - 1) / TICK_NS;
    long wanted = Math.clamp(due, tick, tick + MASK);
    if (entry.tick >= 0) {
      if (entry.tick <= wanted) {
        return;
      }
      remove(entry);
    }
    int slot = (int) wanted & MASK;
    Entry<T> first = slots[slot];
    entry.tick = wanted;
    entry.next = first;
    if (first != null) {
      first.previous = entry;
    }
    slots[slot] = entry;
    count++;
  }

  /** When an entry comes, or {@link Conversation#NEVER}. */
  public long dueNs(Entry<T> entry) {
    return entry.tick < 0 ? Conversation.NEVER : startNs + entry.tick * TICK_NS;
  }

  /** Takes an entry out, if it is in. */
  public void remove(Entry<T> entry) {
    if (entry.tick < 0) {
      return;
    }
    Entry<T> before = entry.previous;
    Entry<T> after = entry.next;
    if (before == null) {
      slots[(int) entry.tick & MASK] = after;
    } else {
      before.next = after;
    }
    if (after != null) {
      after.previous = before;
    }
    entry.next = null;
    entry.previous = null;
    entry.tick = -1;
    count--;
  }

  /** Takes an entry out whose time has come, or returns null. */
  public @Nullable T poll(long nowNs) {
    long now = (nowNs - startNs) / TICK_NS;
    if (count == 0) {
      tick = Math.max(tick, now);
      return null;
    }
    while (tick <= now) {
      Entry<T> entry = slots[(int) tick & MASK];
      if (entry != null) {
        remove(entry);
        return entry.owner;
      }
      tick++;
    }
    return null;
  }

  /** Whether nothing is in it. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** When to call {@link #poll} again; there is something in it. */
  public long nextNs() {
    long at = tick;
    while (slots[(int) at & MASK] == null && at - tick < SLOTS) {
      at++;
    }
    return startNs + at * TICK_NS;
  }
}
