package org.ringwire.engine.outbound.room;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.WaitInterruptedException;
import org.ringwire.flight.FlightEvents;
import org.ringwire.idle.Pause;

/**
 * Senders that wait for room in a ring or window.
 *
 * <p><b>One is woken at a time.</b> Where a hundred threads wait, one of them fills whatever room
 * there is within its time slice; to wake the others for it would cost more than the messages. So
 * who makes room wakes the one that has waited for longest, unless one that was woken has not tried
 * yet. Who was woken wakes the next when it has sent, so all come to their turn while there is
 * room; and also when it has found no room, if the next one needs less, or the reason was another
 * than room for it in the ring and the window. One that is woken may not run, as a virtual thread
 * while others compute on all carriers: the others look for that now and then, and one of them
 * takes its turn.
 *
 * <p><b>No wake-up is lost.</b> A waiter enters (a volatile increment) and notes, under the lock,
 * that it tries, before it does; a thread that makes room publishes the room, then passes a full
 * fence, then looks for waiters. If it sees none, the waiter's attempt comes after the fence and
 * sees the room. If it sees some, it counts the room under the lock: one that was trying meanwhile
 * tries again instead of parking; and of those that are parked one is woken, or has been and will
 * try after this. By that one, see above, each is woken for whom the same room may be enough; for
 * the others more must be made, which is told again.
 *
 * <p>Who may not wait leaves a notice instead, by the same rule: it is counted and in the list
 * before its condition is looked at, so that either that look or the next {@link #signal} finds the
 * room. A notice is taken out of the list by whoever acts on it, hence once.
 */
public final class SpaceWaiters {

  /** Whoever is awake for so long without a try is not waited for. */
  private static final long PATIENCE_NS = 20_000_000;

  private static final int FEW_NOTICES = 64;
  private static final long NO_LIMIT = Long.MAX_VALUE;
  private static final long ORIGIN_NS = System.nanoTime(); // so that sums stay small

  private final long patienceNs;

  /** Whose monitor is the lock: that is left however a thread ends, also where its stack does. */
  private final Object lock = new Object();

  private final AtomicInteger count = new AtomicInteger();
  private volatile int nodeId;
  private volatile int peerId;

  // Guarded by the lock.
  private final Set<Wait> waits = new LinkedHashSet<>(); // the longest first
  private long rooms; // how often room was made
  private @Nullable Wait awake; // which has not tried yet
  private long awakeSinceNs;
  private long leastNeed = NO_LIMIT; // of those that have parked since somebody waits

  // What is counted of stalls, by threads that are about to park anyway; guarded by the lock.
  private long stalls;

  /** Those who are told; guarded by the lock. */
  private final List<Notice> notices = new ArrayList<>();

  private int manyNotices = FEW_NOTICES; // so many are looked at; guarded by the lock

  private volatile boolean noticed; // whether there are any
  private long sinceNs; // sum of the times at which those that wait began
  private long endedNs;

  /** Nobody waits. */
  public SpaceWaiters() {
    this(PATIENCE_NS);
  }

  /** As above; tests choose how long one that was woken is waited for. */
  SpaceWaiters(long patienceNs) {
    this.patienceNs = patienceNs;
  }

  /** A wait of one sender, which is the thread that has entered. */
  public static final class Wait {

    private final Thread thread = Thread.currentThread();
    private final FlightEvents.Stall told;
    private long enteredNs;
    private long lacked; // by the thread, as the next
    public boolean awaitsGrant; // that of a frame of its length stays until its wait is over
    public boolean usedGrant; // and has sent by it
    private volatile boolean roused; // may try, and does not park

    // Guarded by the lock.
    private boolean parked; // is woken if there may be room
    private long triedAt; // how often room had been made when it tried
    private long need; // bytes that it lacks, or 0 if it lacks something else

    /** Between looks at who is awake: together they look as often as one that has company. */
    private long lookNs; // by the thread, in the lock

    private Wait(FlightEvents.Stall told) {
      this.told = told;
    }

    /** The attempt has failed because ring or window have no room for so many bytes. */
    public void lacks(long bytes) {
      lacked = bytes;
    }
  }

  /** Before anybody waits: who waits for whom, for those who are told of it. */
  public void between(int node, int peer) {
    nodeId = node;
    peerId = peer;
  }

  /** A sender begins to wait; what is returned goes to {@link #leave}. */
  public Wait enter() {
    Wait wait = new Wait(FlightEvents.get().stall());
    synchronized (lock) {
      wait.enteredNs = System.nanoTime() - ORIGIN_NS;
      list(wait); // first: there may be no heap for it
      count.incrementAndGet();
      stalls++;
      sinceNs += wait.enteredNs;
      return wait;
    }
  }

  /**
   * With the lock; where there is no heap it is not in the list, whatever that has done by then.
   */
  private void list(Wait wait) {
    boolean added = false;
    try {
      added = waits.add(wait);
    } finally {
      if (!added) {
        waits.remove(wait);
      }
    }
  }

  /** The wait is over: has sent, or gives up. */
  public void leave(Wait wait) {
    wait.told.end(nodeId, peerId);
    count.decrementAndGet();
    synchronized (lock) {
      waits.remove(wait);
      if (waits.isEmpty()) {
        leastNeed = NO_LIMIT;
      }
      tries(wait);
      wakeNext(NO_LIMIT);
      sinceNs -= wait.enteredNs;
      endedNs += System.nanoTime() - ORIGIN_NS - wait.enteredNs;
    }
  }

  /** Before each attempt. */
  public void attempt(Wait wait) {
    synchronized (lock) {
      tries(wait);
    }
  }

  @SuppressWarnings("ReferenceEquality") // a wait is asked for itself
  private void tries(Wait wait) {
    wait.lacked = 0;
    wait.roused = false;
    if (wait == awake) {
      awake = null;
    }
    wait.parked = false;
    wait.triedAt = rooms;
  }

  /**
   * Waits until it is worth to try again; false if the deadline passed first. Looks at the deadline
   * after each attempt, and for an interrupt: others may make room in all of them, and take it.
   */
  public boolean await(Wait wait, long deadlineNs) {
    boolean parks = park(wait);
    if (deadlineNs - System.nanoTime() <= 0) {
      return false;
    }
    requireNotInterrupted();
    while (parks && !wait.roused) {
      long leftNs = deadlineNs - System.nanoTime();
      if (leftNs <= 0) {
        return false;
      }
      Pause.blocked(this, Math.min(leftNs, wait.lookNs));
      if (!wait.roused && count.get() > 1 && takesTurn(wait)) {
        return true;
      }
      if (!wait.roused) {
        requireNotInterrupted();
      }
    }
    return true;
  }

  private static void requireNotInterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw new WaitInterruptedException(
          "interrupted while waiting for room to send", new InterruptedException(), false);
    }
  }

  /** Whether no room was made since it began to try. */
  private boolean park(Wait wait) {
    synchronized (lock) {
      if (wait.triedAt != rooms) {
        return false;
      }
      wait.need = wait.lacked;
      wait.parked = true;
      leastNeed = Math.min(leastNeed, wait.need);
      wait.lookNs = patienceNs * waits.size();
      wakeNext(wait.need == 0 ? NO_LIMIT : wait.need);
      return true;
    }
  }

  /** Whether it is worth to try in place of one that was woken for the same room, and does not. */
  private boolean takesTurn(Wait wait) {
    synchronized (lock) {
      long nowNs = System.nanoTime();
      if (awake == null || wait.triedAt == rooms || nowNs - awakeSinceNs < patienceNs) {
        return false;
      }
      rouse(wait, nowNs); // who is late may try nevertheless
      return true;
    }
  }

  private void rouse(Wait wait, long nowNs) {
    awake = wait;
    awakeSinceNs = nowNs;
    wait.roused = true;
  }

  /**
   * With the lock: wakes the first that has not tried since room was made, unless one is awake.
   *
   * @param below and that needs less than this
   */
  private void wakeNext(long below) {
    if (awake != null || leastNeed >= below) {
      return;
    }
    for (Wait wait : waits) {
      if (wait.parked && !wait.roused && wait.triedAt != rooms && wait.need < below) {
        rouse(wait, System.nanoTime());
        LockSupport.unpark(wait.thread);
        return;
      }
    }
  }

  /** After room was made. */
  public void signal() {
    VarHandle.fullFence(); // pairs with the increments in enter and tryNotify
    signalAfterFence();
  }

  /** As {@link #signal}, for who has passed a full fence since the room was made. */
  void signalAfterFence() {
    signal(true);
  }

  /**
   * As {@link #signalAfterFence}, where nothing was sent and only words in the ring were skipped:
   * whoever waits has all the room that these make, or is woken by the next byte that is sent; and
   * it may have made them by its own attempt, which it would repeat without end. Those who are told
   * may lack the last word.
   */
  void noticeAfterFence() {
    signal(false);
  }

  private void signal(boolean room) {
    if (count.get() > 0) {
      List<Notice> due = List.of();
      try {
        synchronized (lock) {
          if (room) {
            rooms++;
            wakeNext(NO_LIMIT);
          }
          if (!notices.isEmpty()) {
            due = new ArrayList<>(notices.size()); // there may be no heap for it later
            takeDue(due);
          }
        }
      } finally {
        tell(due);
      }
    }
  }

  /** All of them; the next signal tells one again for whose action there is no heap. */
  private void tell(List<Notice> due) {
    Error failure = null;
    for (Notice notice : due) {
      try {
        notice.action().run();
      } catch (Error e) {
        failure = e;
        tellLater(notice);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void tellLater(Notice notice) {
    try {
      leave(notice);
    } catch (OutOfMemoryError e) {
      // nor to keep it; those behind it are told
    }
  }

  /**
   * Somebody who wants to be told of room.
   *
   * @param isDue whether there may be room; called by any thread, does not wait
   * @param action what tells, once; called by any thread, does not run users' code
   */
  public record Notice(BooleanSupplier isDue, Runnable action) {}

  /** Leaves a notice; false if it is due already: then its action is not run. Any thread. */
  public boolean tryNotify(Notice notice) {
    lookAtMany(); // first: there may be no heap to tell them
    leave(notice);
    VarHandle.fullFence(); // pairs with the one in signal
    return !notice.isDue().getAsBoolean() || !take(notice);
  }

  /**
   * Those whom nobody wants to be told any more are due, but where no room is made nobody looks: so
   * who leaves one does, whenever there are twice as many as were left the last time.
   */
  private void lookAtMany() {
    if (hasMany()) {
      noticeAfterFence();
      synchronized (lock) {
        manyNotices = Math.max(FEW_NOTICES, 2 * notices.size());
      }
    }
  }

  private boolean hasMany() {
    synchronized (lock) {
      return notices.size() >= manyNotices;
    }
  }

  private void leave(Notice notice) {
    synchronized (lock) {
      notices.add(notice);
      noticed = true;
      count.incrementAndGet();
    }
  }

  /** Whether the notice was still there. */
  @SuppressWarnings("ReferenceEquality") // a notice is asked for itself
  private boolean take(Notice notice) {
    synchronized (lock) {
      boolean taken = false;
      for (int i = notices.size() - 1; i >= 0 && !taken; i--) {
        taken = notices.get(i) == notice;
        if (taken) {
          notices.remove(i);
        }
      }
      taken(taken ? 1 : 0);
      return taken;
    }
  }

  /** With the lock; those that were taken are told, also if there is no heap to ask the next. */
  private void takeDue(List<Notice> due) {
    int count = notices.size();
    int looked = 0;
    int kept = 0; // each moves once: all may be due
    try {
      while (looked < count) {
        Notice notice = notices.get(looked);
        if (notice.isDue().getAsBoolean()) {
          due.add(notice);
        } else {
          notices.set(kept++, notice);
        }
        looked++;
      }
    } finally {
      while (looked < count) {
        notices.set(kept++, notices.get(looked++));
      }
      while (notices.size() > kept) {
        notices.removeLast();
      }
      taken(due.size());
    }
  }

  private void taken(int notRemaining) {
    count.addAndGet(-notRemaining);
    noticed = !notices.isEmpty();
  }

  /** Whether somebody wants to be told. */
  boolean hasNotices() {
    return noticed;
  }

  /**
   * What senders have waited so far.
   *
   * @param stalls times that a sender had to wait
   * @param blockedNs how long they have waited, those that wait now included
   * @param waiting senders that wait now
   */
  public record Stalls(long stalls, long blockedNs, int waiting) {}

  /** What senders have waited so far; any thread. */
  public Stalls stalls() {
    synchronized (lock) {
      int waiting = waits.size();
      long openNs = waiting * (System.nanoTime() - ORIGIN_NS) - sinceNs;
      return new Stalls(stalls, endedNs + openNs, waiting);
    }
  }
}
