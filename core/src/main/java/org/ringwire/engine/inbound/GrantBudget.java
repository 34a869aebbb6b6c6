package org.ringwire.engine.inbound;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Bytes of large frames that a node lets its peers send at the same time; announcements beyond wait
 * their turn (design rule 2). Any thread.
 */
public final class GrantBudget {

  /** An announcement that waits. */
  public record Waiting(InboundGrants grants, long token, long length) {}

  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private final long size;
  private long available;

  public GrantBudget(long bytes) {
    size = bytes;
    available = bytes;
  }

  /** Grants now, or when enough was released. */
  public void request(InboundGrants grants, long token, long length) {
    synchronized (this) {
      if (!waiting.isEmpty() || length > available) {
        waiting.add(new Waiting(grants, token, length));
        return;
      }
      available -= length;
    }
    grants.grant(token, length);
  }

  public void release(long bytes) {
    List<Waiting> granted = new ArrayList<>();
    synchronized (this) {
      available += bytes;
      for (Waiting next = waiting.peek();
          next != null && next.length <= available;
          next = waiting.peek()) {
        waiting.remove();
        available -= next.length;
        granted.add(next);
      }
    }
    for (Waiting next : granted) {
      next.grants.grant(next.token, next.length);
    }
  }

  /** Bytes that are granted now. */
  public synchronized long granted() {
    return size - available;
  }

  public synchronized void forget(InboundGrants grants) {
    waiting.removeIf(entry -> entry.grants == grants);
  }
}
