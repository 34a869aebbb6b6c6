package org.ringwire.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Bytes of large frames that a node lets its peers send at the same time; announcements beyond wait
 * their turn (design rule 2). Any thread.
 */
final class GrantBudget {

  /** An announcement that waits. */
  record Waiting(InboundGrants grants, long token, long length) {}

  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private long available;

  GrantBudget(long bytes) {
    available = bytes;
  }

  /** Grants now, or when enough was released. */
  void request(InboundGrants grants, long token, long length) {
    synchronized (this) {
      if (!waiting.isEmpty() || length > available) {
        waiting.add(new Waiting(grants, token, length));
        return;
      }
      available -= length;
    }
    grants.grant(token, length);
  }

  void release(long bytes) {
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

  synchronized void forget(InboundGrants grants) {
    waiting.removeIf(entry -> entry.grants == grants);
  }
}
