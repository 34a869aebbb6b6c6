package org.ringwire.transport.selector;

import java.util.ArrayList;
import java.util.List;

/** The entries of a loop that wait for a time; for its thread only. */
final class Deadlines {

  private final List<SelectorEntry> timed;
  private long nextNs = SelectorEntry.NEVER;

  Deadlines() {
    this(new ArrayList<>());
  }

  /** With a list that is empty. */
  Deadlines(List<SelectorEntry> timed) {
    this.timed = timed;
  }

  /** The earliest time that any of them waits for, or one before it; or none. */
  long nextNs() {
    return nextNs;
  }

  /**
   * Calls {@link SelectorEntry#expired} of an entry at a time, and no more at one it had before.
   */
  void schedule(SelectorEntry entry, long deadlineNs) {
    entry.deadlineNs = deadlineNs;
    if (!entry.timed) {
      timed.add(entry); // first: the list may find no heap to grow, and the next call adds it
      entry.timed = true;
    }
    if (nextNs == SelectorEntry.NEVER || deadlineNs - nextNs < 0) {
      nextNs = deadlineNs;
    }
  }

  /** Forgets the time of an entry. */
  void unschedule(SelectorEntry entry) {
    entry.deadlineNs = SelectorEntry.NEVER; // the list drops it at its next inspection
  }

  /** Those that wait, as of now. */
  List<SelectorEntry> entries() {
    return List.copyOf(timed);
  }

  /** Tells those whose time has come. */
  void expire(long nowNs) {
    if (nowNs - nextNs < 0) {
      return;
    }
    for (int i = timed.size() - 1; i >= 0; i--) {
      SelectorEntry entry = timed.get(i);
      if (entry.deadlineNs == SelectorEntry.NEVER || nowNs - entry.deadlineNs >= 0) {
        timed.set(i, timed.getLast());
        timed.removeLast();
        entry.timed = false;
        expire(entry, nowNs);
      }
    }
    nextNs = SelectorEntry.NEVER;
    for (int i = 0; i < timed.size(); i++) { // without an iterator, for which there may be no heap
      schedule(timed.get(i), timed.get(i).deadlineNs);
    }
  }

  private static void expire(SelectorEntry entry, long nowNs) {
    boolean due = entry.deadlineNs != SelectorEntry.NEVER;
    entry.deadlineNs = SelectorEntry.NEVER;
    if (due) {
      try {
        entry.expired(nowNs);
      } catch (Throwable e) {
        EntryEnds.end(entry, e);
      }
    }
  }
}
