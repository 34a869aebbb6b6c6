package org.ringwire.infiniband.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Links whose peer is gone, until all that it has sent was handed over. What it had sent was in the
 * completion queue before it was gone; so who receives takes the news, then polls, and tells the
 * links when that has found nothing.
 *
 * <p>{@link #add} and {@link #hasNews}: any thread. The others: who receives, one thread at a time.
 */
public final class LostPeers {

  private final Queue<EngineLink> news = new ConcurrentLinkedQueue<>();
  private final List<EngineLink> taken = new ArrayList<>();

  /** None. */
  public LostPeers() {}

  /** The peer of a link is gone. */
  public void add(EngineLink link) {
    news.add(link);
  }

  /** Whether {@link #add} has left something. */
  public boolean hasNews() {
    return !news.isEmpty();
  }

  /** Takes the news; the completion queue is polled after this. */
  public void take() {
    for (@Nullable EngineLink link = news.peek(); link != null; link = news.peek()) {
      taken.add(link); // before it is no news any more: there may be no heap for that
      news.poll();
    }
  }

  /** Whether links have to be told. */
  public boolean isEmpty() {
    return taken.isEmpty();
  }

  /** The completion queue was empty: tells the links. */
  public void tell() {
    int count = taken.size();
    for (int i = 0; i < count; i++) { // no lambda: to make one needs heap
      taken.get(i).life().gone();
    }
    if (count > 0) {
      taken.clear();
    }
  }
}
