package org.ringwire.infiniband.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What waits until all was handed over that had arrived before: the news that a peer is gone, or
 * the end of a queue pair. What had arrived was in the completion queue by then; so who receives
 * takes the news, then polls, and tells when that has found nothing, or as much as the queue holds.
 *
 * <p>{@link #add} and {@link #hasNews}: any thread. The others: who receives, one thread at a time.
 */
public final class AfterInput {

  private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();
  private final List<Runnable> taken = new ArrayList<>();
  private final int most;
  private int handedOver; // since something was taken

  /**
   * Nothing waits.
   *
   * @param most completions that may have arrived and not been handed over
   */
  public AfterInput(int most) {
    this.most = most;
  }

  /** Something is to be told, perhaps more than once where there is no heap. */
  public void add(Runnable step) {
    news.add(step);
  }

  /** Whether {@link #add} has left something. */
  public boolean hasNews() {
    return !news.isEmpty();
  }

  /** Takes the news; the completion queue is polled after this. */
  public void take() {
    for (@Nullable Runnable step = news.peek(); step != null; step = news.peek()) {
      taken.add(step); // before it is no news any more: there may be no heap for that
      news.poll();
      handedOver = 0;
    }
  }

  /** Whether nothing has to be told. */
  public boolean isEmpty() {
    return taken.isEmpty();
  }

  /** What a poll has found was handed over; tells if that must be all. */
  public void handedOver(int count) {
    if (taken.isEmpty()) {
      return;
    }
    handedOver += count;
    if (count == 0 || handedOver >= most) {
      tell();
    }
  }

  private void tell() {
    int count = taken.size();
    for (int i = 0; i < count; i++) { // no lambda: to make one needs heap
      taken.get(i).run();
    }
    taken.clear();
  }
}
