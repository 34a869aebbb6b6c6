package org.ringwire.engine.inbound;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.ring.MemoryBudget;

/**
 * Bytes of large frames that a node lets its peers send at the same time, within what the process
 * may commit; announcements beyond wait their turn (design rule 2). While some wait, those who were
 * granted something and send nothing of it lose their connection ({@link #look}). Any thread.
 *
 * <p>Who gives something back grants to others, and is not to suffer from it: what there is no heap
 * for is left to the timer ({@link #resumeLeft}).
 */
public final class GrantBudget implements AutoCloseable {

  /** What a look counts at most: if the process was stopped, so was its reading. */
  private static final long LONGEST_STEP_NS = 5_000_000_000L;

  /** An announcement that waits; linked, to be taken out without heap. Guarded by the budget. */
  private static final class Waiting {
    final InboundGrants grants;
    final long token;
    final long length;
    boolean told; // why
    @Nullable Waiting next;

    Waiting(InboundGrants grants, long token, long length) {
      this.grants = grants;
      this.token = token;
      this.length = length;
    }
  }

  private @Nullable Waiting first;
  private @Nullable Waiting last;
  private final Set<InboundGrants> holders = new HashSet<>(); // that have ever asked for something
  private final Consumer<String> warnings;
  private final Executor later;
  private final AtomicBoolean waitsForProcess = new AtomicBoolean();
  private final Runnable released = this::released; // made before, as there may be no heap for it
  private final Runnable grantWaiting = this::grantWaiting;
  private final long size;
  private long available;
  private volatile boolean unfinished; // for want of heap
  private boolean closed;
  private boolean starving; // at the last look, as the next
  private long lookedNs;

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

  /**
   * Grants now, or when enough was released.
   *
   * @throws OutOfMemoryError if it could not be noted; then nothing was asked for
   */
  public void request(InboundGrants grants, long token, long length) {
    synchronized (this) {
      holders.add(grants);
      add(new Waiting(grants, token, length));
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
    try {
      boolean more = true;
      while (more) {
        more = grantFirst();
      }
    } catch (OutOfMemoryError e) {
      unfinished = true;
    }
  }

  private void add(Waiting added) { // guarded
    if (last == null) {
      first = added;
    } else {
      last.next = added;
    }
    last = added;
  }

  private void takeOut(@Nullable Waiting before, Waiting taken) { // guarded
    if (before == null) {
      first = taken.next;
    } else {
      before.next = taken.next;
    }
    if (last == taken) {
      last = before;
    }
  }

  /** False if there is nothing to be granted: nobody waits, or what there is does not suffice. */
  private boolean grantFirst() {
    Waiting next;
    List<Waiting> delayed = List.of();
    String refusal = null;
    synchronized (this) {
      next = first;
      if (next == null || next.length > available || closed) {
        return false;
      }
      if (tryCommit(next.length)) {
        takeOut(null, next);
        available -= next.length;
      } else {
        refusal = MemoryBudget.refusal(next.length);
        delayed = delayedAnew(); // the others wait for the first
      }
    }
    if (refusal == null) {
      next.grants.grant(next.token, next.length); // at once: nothing may come in between
      return true;
    }
    for (Waiting each : delayed) {
      each.grants.delayed(each.token, refusal);
    }
    warnings.accept("a long message of a peer waits: " + refusal);
    return false;
  }

  private List<Waiting> delayedAnew() {
    List<Waiting> delayed = new ArrayList<>();
    for (Waiting each = first; each != null; each = each.next) {
      if (!each.told) {
        delayed.add(each);
        each.told = true;
      }
    }
    return delayed;
  }

  /** Now and then: grants what could not be granted for want of heap. */
  public void resumeLeft() {
    if (unfinished) {
      goOn();
    }
  }

  /**
   * Now and then: ends who keeps others waiting by grants that it does not use.
   *
   * @param judged whether this node reads what its peers send; if not, nobody is to blame
   */
  public void look(long nowNs, boolean judged) {
    List<InboundGrants> suspects;
    long passedNs;
    synchronized (this) {
      passedNs = starving && judged ? Math.min(nowNs - lookedNs, LONGEST_STEP_NS) : 0;
      lookedNs = nowNs;
      starving = !closed && first != null;
      if (!starving) {
        return;
      }
      suspects = List.copyOf(holders);
    }
    for (InboundGrants suspect : suspects) {
      if (passedNs > 0) {
        suspect.judge(passedNs);
      } else {
        suspect.acquit();
      }
    }
  }

  /** There was no heap for something that {@link #resumeLeft} does. */
  void goOnLater() {
    unfinished = true;
  }

  private void goOn() {
    unfinished = false; // before it looks
    grantWaiting();
    List<InboundGrants> asking = List.of();
    try {
      synchronized (this) {
        asking = List.copyOf(holders);
      }
    } catch (OutOfMemoryError e) {
      unfinished = true;
    }
    for (InboundGrants each : asking) {
      each.resume();
    }
  }

  private boolean tryCommit(long length) {
    if (MemoryBudget.tryCommit(length)) {
      return true;
    }
    MemoryBudget.whenReleased(waitsForProcess, released); // before it is asked again
    return MemoryBudget.tryCommit(length);
  }

  private void released() {
    waitsForProcess.set(false);
    try {
      later.execute(grantWaiting);
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
      first = null;
      last = null;
      holders.clear();
      MemoryBudget.release(size - available);
    }
  }

  public synchronized void forget(InboundGrants grants) {
    Waiting before = null;
    for (Waiting each = first; each != null; each = each.next) {
      if (each.grants == grants) {
        takeOut(before, each);
      } else {
        before = each;
      }
    }
    holders.remove(grants);
  }
}
