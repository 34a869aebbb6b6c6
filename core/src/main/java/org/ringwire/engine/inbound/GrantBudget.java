package org.ringwire.engine.inbound;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.ringwire.ring.MemoryBudget;

/**
 * Bytes of large frames that a node lets its peers send at the same time, within what the process
 * may commit; announcements beyond wait their turn (design rule 2). Any thread.
 */
public final class GrantBudget implements AutoCloseable {

  /** An announcement that waits. */
  public record Waiting(InboundGrants grants, long token, long length) {}

  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private final Set<Waiting> told = new HashSet<>(); // those of them that know why
  private final Consumer<String> warnings;
  private final Executor later;
  private final AtomicBoolean waitsForProcess = new AtomicBoolean();
  private final long size;
  private long available;
  private boolean closed;

  /**
   * Nothing granted yet.
   *
   * @param warnings hears why a frame must wait for the process
   * @param later goes on when the process may commit more; whoever gives memory back has locks
   */
  public GrantBudget(long bytes, Consumer<String> warnings, Executor later) {
    size = bytes;
    available = bytes;
    this.warnings = warnings;
    this.later = later;
  }

  /** Grants now, or when enough was released. */
  public void request(InboundGrants grants, long token, long length) {
    synchronized (this) {
      waiting.add(new Waiting(grants, token, length));
    }
    grantWaiting();
  }

  public void release(long bytes) {
    if (bytes > 0) {
      synchronized (this) {
        available += bytes;
        if (!closed) {
          MemoryBudget.release(bytes);
        }
      }
    }
    grantWaiting();
  }

  private void grantWaiting() {
    List<Waiting> granted = new ArrayList<>();
    List<Waiting> delayed = List.of();
    String refusal = null;
    synchronized (this) {
      for (Waiting next = waiting.peek();
          next != null && next.length <= available && refusal == null && !closed;
          next = waiting.peek()) {
        if (tryCommit(next.length)) {
          waiting.remove();
          told.remove(next);
          available -= next.length;
          granted.add(next);
        } else {
          refusal = MemoryBudget.refusal(next.length);
          delayed = waiting.stream().filter(told::add).toList(); // the others wait for the first
        }
      }
    }
    if (refusal != null) {
      warnings.accept("a long message of a peer waits: " + refusal);
      for (Waiting next : delayed) {
        next.grants.delayed(next.token, refusal);
      }
    }
    for (Waiting next : granted) {
      next.grants.grant(next.token, next.length);
    }
  }

  private boolean tryCommit(long length) {
    if (MemoryBudget.tryCommit(length)) {
      return true;
    }
    if (waitsForProcess.compareAndSet(false, true)) {
      MemoryBudget.whenReleased(this::released); // before it is asked again
    }
    return MemoryBudget.tryCommit(length);
  }

  private void released() {
    waitsForProcess.set(false);
    try {
      later.execute(this::grantWaiting);
    } catch (RejectedExecutionException e) {
      // the node has ended, and its peers wait no more
    }
  }

  /** Bytes that are granted now. */
  public synchronized long granted() {
    return size - available;
  }

  /** The node has ended, and with it what was granted and never handled. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      waiting.clear();
      told.clear();
      MemoryBudget.release(size - available);
    }
  }

  public synchronized void forget(InboundGrants grants) {
    waiting.removeIf(entry -> entry.grants == grants);
    told.removeIf(entry -> entry.grants == grants);
  }
}
