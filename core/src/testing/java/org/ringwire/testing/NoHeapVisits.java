package org.ringwire.testing;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.Link;
import org.ringwire.transport.Transport;

/** Links that come and go, also while the process has no heap for them, and then again. */
public final class NoHeapVisits {

  private static final int VISITORS = 3;
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final long ATTEMPT_NS = 5_000_000_000L;

  private final Transport from;
  private final String address;

  private NoHeapVisits(Transport from, String address) {
    this.from = from;
    this.address = address;
  }

  /** Closes its link as soon as that is open. */
  private static final class Visitor extends Ignoring {
    volatile boolean opened;
    volatile boolean closed;
    volatile @Nullable Throwable cause;

    @Override
    public void opened(Link link) {
      opened = true;
      link.close();
    }

    @Override
    public void closed(@Nullable Throwable why) {
      cause = why;
      closed = true;
    }
  }

  /**
   * Visits before, while and after there is no heap, and says on standard output whether the first
   * and the last have come through: {@code before: true} and {@code after: true}.
   *
   * @param withoutNs for how long there is no heap
   */
  public static void run(Transport from, Transport to, String listen, long withoutNs)
      throws IOException, InterruptedException {
    NoHeapVisits visits = new NoHeapVisits(from, to.listen(listen, remote -> new Ignoring()));
    System.out.println("before: " + visits.comeThrough());
    AtomicBoolean over = new AtomicBoolean();
    Thread[] visitors = new Thread[VISITORS];
    for (int i = 0; i < visitors.length; i++) {
      visitors[i] = Thread.ofPlatform().start(() -> visits.goOnUntil(over));
    }
    try {
      HeapShortage.last(withoutNs);
    } finally {
      over.set(true);
    }
    for (Thread visitor : visitors) {
      visitor.join();
    }
    System.out.println("after: " + visits.comeThrough());
  }

  private void goOnUntil(AtomicBoolean over) {
    while (!over.get()) {
      boolean _ = comesThrough();
    }
  }

  /** Whether a link is made, and ends. */
  private boolean comesThrough() {
    try {
      Visitor visitor = new Visitor();
      visit(visitor);
      return visitor.opened && visitor.closed;
    } catch (RuntimeException | OutOfMemoryError e) {
      return false;
    }
  }

  private void visit(Visitor visitor) {
    from.connect(address, visitor);
    long endNs = System.nanoTime() + ATTEMPT_NS;
    while (!visitor.closed && System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Whether one comes through within a time; if not, says why on standard error. */
  private boolean comeThrough() {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    while (System.nanoTime() - deadlineNs < 0) {
      if (comesThrough()) {
        return true;
      }
    }
    Visitor last = new Visitor();
    visit(last);
    System.err.println("no link: opened=" + last.opened + " closed=" + last.closed);
    if (last.cause != null) {
      last.cause.printStackTrace();
    }
    return false;
  }
}
