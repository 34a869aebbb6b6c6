package org.ringwire.engine.outbound;

import org.jspecify.annotations.Nullable;

/**
 * What a thread does before it waits inside of this library, for room, a connection, a response.
 */
public final class Waits {

  /** Who holds a message, for which the connection that it came by has to wait. */
  public interface Holder {

    /**
     * Who handles the message is going to wait for the end of a connection. If it came by that one,
     * or by one that is dismissed, too, it counts as handled from now on, where that does not
     * change an order: handlers that wait for the ends of each other's connections would wait for
     * themselves.
     *
     * @param connection the one that ends, by identity
     * @return false if the wait is in vain: the peer waits for the answer that the handler owes it
     */
    boolean tryLetGo(Object connection);
  }

  /** Who handles messages, one after the other: its own thread calls all of this. */
  public interface Busy extends Holder {

    /** Who of the message in hand may be asked by any thread, as long as that likes, or null. */
    @Nullable Holder forOthers();

    /** It waits for long: what it has handled before does not. */
    void aboutToWait();
  }

  /**
   * Somebody for whose end others wait: a thread that has more work, or what a virtual thread does.
   */
  public interface Compensated extends Busy {

    /** By the thread that waits, for a moment at first: what others can do is not left to it. */
    default void mayWait() {}

    /** By the thread that waited, after either. */
    default void hasWaited() {}

    /** By the thread that waits for long: others should go on meanwhile. */
    @Override
    void aboutToWait();
  }

  /** What ends within this time costs nobody a thread. */
  public static final long GRACE_NS = 1_000_000;

  private static final ScopedValue<Compensated> CALL = ScopedValue.newInstance();

  /** What a virtual thread does for another one, which may wait for it, and nobody else has to. */
  private static final class HandedOn implements Runnable, Compensated {

    private final Runnable task;
    private final @Nullable Holder origin;
    private final boolean awaited; // by the thread of the origin, whatever comes
    private boolean begun;

    HandedOn(Runnable task, @Nullable Holder origin, boolean awaited) {
      this.task = task;
      this.origin = origin;
      this.awaited = awaited;
    }

    /** All that its thread does. */
    void runToEnd() {
      try {
        Waits.run(this);
      } finally {
        if (!begun) { // there is no heap to say for whom it is done
          task.run();
        }
      }
    }

    @Override
    public void run() {
      begun = true;
      task.run();
    }

    @Override
    public void aboutToWait() {}

    /** Where nobody need wait for this, who owes the answer may go on to give it. */
    @Override
    public boolean tryLetGo(Object connection) {
      boolean may = origin == null || origin.tryLetGo(connection);
      return may || !awaited;
    }

    @Override
    public Holder forOthers() {
      return this;
    }
  }

  private Waits() {}

  /** Runs what the current thread, a virtual one, has to do; it is told when that waits. */
  public static <T extends Runnable & Compensated> void run(T call) {
    ScopedValue.where(CALL, call).run(call);
  }

  /**
   * Nobody within an inline handler: it does not wait, and what the thread handles otherwise, or
   * has handled just before, is a message that the inline handler has nothing to do with.
   */
  private static @Nullable Compensated current() {
    if (SendContext.current().isInline()) {
      return null;
    }
    Thread thread = Thread.currentThread();
    if (thread.isVirtual()) {
      return CALL.isBound() ? CALL.get() : null;
    }
    return thread instanceof Compensated compensated ? compensated : null;
  }

  /**
   * Whether others wait for what the current thread does: it runs a handler, or a future's code.
   */
  public static boolean isAwaited() {
    return current() != null;
  }

  /** Something that the current thread leaves to a virtual one: others wait for that, too. */
  public static Runnable handedOn(Runnable task) {
    return handedOn(task, false);
  }

  /** The same for what the current thread waits for, and does nothing else meanwhile. */
  public static Runnable handedOnAndAwaited(Runnable task) {
    return handedOn(task, true);
  }

  private static Runnable handedOn(Runnable task, boolean awaited) {
    Compensated current = current();
    return current == null ? task : new HandedOn(task, current.forOthers(), awaited)::runToEnd;
  }

  /**
   * The current thread waits for a future: what it has put off is sent, and nothing that ends
   * futures is left to it. Then, after {@link #GRACE_NS}, comes {@link #begin}, and in any case
   * {@link #end}.
   *
   * @return whether others wait for the current thread
   */
  public static boolean beginBriefly() {
    SendContext.current().drainDeferred();
    Compensated compensated = current();
    if (compensated != null) {
      compensated.mayWait();
    }
    return compensated != null;
  }

  /** When {@link #begin} is due in a wait until a deadline: at the deadline if nobody cares. */
  public static long graceEnd(long deadlineNs) {
    if (current() == null) {
      return deadlineNs;
    }
    long graceEndNs = System.nanoTime() + GRACE_NS;
    return graceEndNs - deadlineNs < 0 ? graceEndNs : deadlineNs;
  }

  /**
   * The current thread is going to wait for the end of a connection, which may have to wait for
   * what that thread handles: see {@link Holder#tryLetGo}.
   */
  public static boolean mayWaitForEnd(Object connection) {
    Compensated compensated = current();
    return compensated == null || compensated.tryLetGo(connection);
  }

  /** The current thread waits no more. */
  public static void end() {
    Compensated compensated = current();
    if (compensated != null) {
      compensated.hasWaited();
    }
  }

  /** The current thread may wait for long: what it has put off is sent, and its work handed on. */
  public static void begin() {
    SendContext.current().drainDeferred();
    Compensated compensated = current();
    if (compensated != null) {
      compensated.aboutToWait();
    }
  }
}
