package org.ringwire.infiniband.verbs;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ringwire.testing.FullHeap;

/** Wakes a thread up where there is no heap, for the first time. */
public final class WakeUpWithoutHeapProgram {

  private WakeUpWithoutHeapProgram() {}

  /** Prints whether the wake-up has come, and whether one with heap comes afterwards. */
  public static void main(String... args) {
    boolean _ = new AtomicBoolean().compareAndSet(false, true); // loads what comes before the write
    try (EventPoll events = new EventPoll(List.of(), null)) {
      FullHeap.fill();
      boolean thrown = false;
      try {
        events.wakeup();
      } catch (OutOfMemoryError e) {
        thrown = true;
      }
      FullHeap.empty();
      boolean woken = events.await(0);
      events.wakeup();
      System.out.println(
          "thrown: %b, woken: %b, woken later: %b".formatted(thrown, woken, events.await(0)));
    }
  }
}
