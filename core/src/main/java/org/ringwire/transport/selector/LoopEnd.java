package org.ringwire.transport.selector;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The end of a {@link SelectorLoop}: whether it has begun, and how long it may take. It only. */
final class LoopEnd {

  /** How long the loop waits for threads inside its links when it ends, in nanoseconds. */
  private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

  private boolean begun;
  private long deadlineNs;

  boolean hasBegun() {
    return begun;
  }

  /** Ends all entries; if there is no heap for that, nothing has begun, and may once more. */
  void begin(Selector selector, Deadlines deadlines) {
    List<SelectionKey> open = EntryEnds.keysOf(selector); // both lists first
    List<SelectorEntry> timed = deadlines.entries();
    begun = true;
    deadlineNs = System.nanoTime() + TIMEOUT_NS;
    EntryEnds.endAll(open, null);
    EntryEnds.endTimed(timed);
  }

  /** Whether it has taken too long. */
  boolean isOverdue() {
    return System.nanoTime() - deadlineNs >= 0;
  }

  /**
   * When the loop must wake up.
   *
   * @param nextNs without the end, or {@link SelectorEntry#NEVER}
   */
  long wakeNs(long nextNs) {
    return begun && (nextNs == SelectorEntry.NEVER || deadlineNs - nextNs < 0)
        ? deadlineNs
        : nextNs;
  }
}
