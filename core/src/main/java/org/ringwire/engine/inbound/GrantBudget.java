package org.ringwire.engine.inbound;

import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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

  /** An announcement that waits. */
  public record Waiting(InboundGrants grants, long token, long length) {}

  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final Set<Waiting> told = new HashSet<>(); // those of them that know why
  private final Set<InboundGrants> holders = new HashSet<>(); // that have ever asked for something
  private final Consumer<String> warnings;
  private final Executor later;
  private final AtomicBoolean waitsForProcess = new AtomicBoolean();
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
    try {
      boolean more = true;
      while (more) {
        more = grantFirst();
      }
    } catch (OutOfMemoryError e) {
      unfinished = true;
    }
  }

  /** False if there is nothing to be granted: nobody waits, or what there is does not suffice. */
  private boolean grantFirst() {
    Waiting first;
    List<Waiting> delayed = List.of();
    String refusal = null;
    synchronized (this) {
      first = waiting.peek();
      if (first == null || first.length > available || closed) {
        return false;
      }
      if (tryCommit(first.length)) {
        waiting.remove();
        told.remove(first);
        available -= first.length;
      } else {
        refusal = MemoryBudget.refusal(first.length);
        delayed = waiting.stream().filter(told::add).toList(); // the others wait for the first
      }
    }
    if (refusal == null) {
      first.grants.grant(first.token, first.length); // at once: nothing may come in between
      return true;
    }
    for (Waiting next : delayed) {
      next.grants.delayed(next.token, refusal);
    }
    warnings.accept("a long message of a peer waits: " + refusal);
    return false;
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
      starving = !closed && !waiting.isEmpty();
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
    asking.forEach(InboundGrants::resume);
  }

  private boolean tryCommit(long length) {
    if (MemoryBudget.tryCommit(length)) {
      return true;
    }
    MemoryBudget.whenReleased(waitsForProcess, this::released); // before it is asked again
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
      while (waiting.poll() != null) {
        // clear() makes something of its own, for which there may be no heap
      }
      told.clear();
      holders.clear();
      MemoryBudget.release(size - available);
    }
  }

  public synchronized void forget(InboundGrants grants) {
    forget(waiting, grants);
    forget(told, grants);
    holders.remove(grants);
  }

  /** Makes no lambda: one that finds no heap where it comes first is lost for ever. */
  private static void forget(Collection<Waiting> of, InboundGrants grants) {
    for (Iterator<Waiting> each = of.iterator(); each.hasNext(); ) {
      if (each.next().grants == grants) {
        each.remove();
      }
    }
  }
}
