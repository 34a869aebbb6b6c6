package org.ringwire.engine.inbound;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.ringwire.NodeMetrics.SlowHandler;
import org.ringwire.flight.FlightEvents;

/**
 * Finds handlers that take longer than they should, without a clock per message: a timer moves a
 * time of its own on, a few times per threshold, and who handles a message compares what it reads
 * before and after. Both reads are of a line that is written some ten times per threshold, and not
 * at all while nothing arrives.
 *
 * <p><b>No handler is called slow that was not.</b> A tick moves the time by at most half as much
 * again as its period, however late the timer was, so that a timer that was not scheduled makes the
 * time late and never makes it jump. Between two reads the time moves by at most one such step more
 * than has really passed, and that much is added to the threshold.
 *
 * <p><b>The time does not stand still while it is needed.</b> Whoever begins with a batch of
 * messages calls {@link #wake}, which costs one read while the timer runs, and so does whoever has
 * seen the time move while a handler ran. The timer ends when nobody has woken it for so long that
 * a handler that has begun before is over the threshold: not later, since each tick wakes a thread
 * whose memory others have displaced. Who starts it again first adds the time that has passed,
 * under the lock, before anybody whose {@code wake} has returned can read it.
 */
public final class SlowHandlers {

  private static final int MOST_TYPES = 1024;
  private static final int TICKS_PER_THRESHOLD = 8;

  /** The least after which the time has moved by the threshold and the longest step. */
  private static final int QUIET_TICKS = TICKS_PER_THRESHOLD + 2;

  private static final long SHORTEST_PERIOD_NS = 1_000_000;

  private static final VarHandle NOW;

  static {
    try {
      NOW = MethodHandles.lookup().findVarHandle(SlowHandlers.class, "nowNs", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int nodeId;
  private final ScheduledExecutorService timers;
  private final long periodNs;
  private final long limitNs;
  private final ConcurrentHashMap<String, SlowHandler> slow = new ConcurrentHashMap<>();

  @SuppressWarnings("unused") // by NOW; written under the lock
  private long nowNs;

  private volatile boolean active;
  private boolean ticking; // guarded by this, as the next
  private long tickedNs;
  private int quietTicks;

  /**
   * Not ticking yet.
   *
   * @param thresholdNs time from which on a handler is slow
   */
  public SlowHandlers(int nodeId, ScheduledExecutorService timers, long thresholdNs) {
    this.nodeId = nodeId;
    this.timers = timers;
    periodNs = Math.max(SHORTEST_PERIOD_NS, thresholdNs / TICKS_PER_THRESHOLD);
    limitNs = thresholdNs + longestStep();
  }

  private long longestStep() {
    return periodNs + periodNs / 2;
  }

  /** Before a batch of messages is handled; any thread. */
  public void wake() {
    if (!active) {
      begin();
    }
  }

  private synchronized void begin() {
    if (!ticking) {
      long realNs = System.nanoTime();
      if (tickedNs != 0) {
        advance(realNs - tickedNs);
      }
      tickedNs = realNs;
      quietTicks = 0;
      ticking = schedule();
    }
    active = true; // after the time was moved on
  }

  private boolean schedule() {
    try {
      ScheduledFuture<?> _ = timers.schedule(this::tick, periodNs, TimeUnit.NANOSECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      return false; // the node ends
    }
  }

  private synchronized void tick() {
    long realNs = System.nanoTime();
    advance(Math.min(realNs - tickedNs, longestStep()));
    tickedNs = realNs;
    quietTicks = active ? 0 : quietTicks + 1;
    active = false;
    ticking = false; // also if there is no memory for the next tick
    ticking = quietTicks < QUIET_TICKS && schedule();
  }

  private void advance(long ns) {
    NOW.setOpaque(this, nowNs + ns);
  }

  /** The time to compare with; any thread. */
  public long now() {
    return (long) NOW.getOpaque(this);
  }

  /**
   * Whether a handler that began at that time, and has ended, was slow. If the time has moved
   * meanwhile, it goes on: the batch may be long, and its next handler may be slow. Any thread.
   */
  public boolean hasEndedSlow(long beganNs) {
    long tookNs = now() - beganNs;
    if (tookNs == 0) {
      return false;
    }
    wake();
    return tookNs >= limitNs;
  }

  /** Whether a handler that began at that time was slow; any thread. */
  public boolean isSlow(long beganNs) {
    return now() - beganNs >= limitNs;
  }

  /**
   * A handler was slow: counts and tells it.
   *
   * @param peerId whose message it was
   * @param beganNs what {@link #now} was when it began
   * @return the time that it took, in nanoseconds, give or take a tick; less where ticks were late
   */
  public long add(String messageType, int peerId, long beganNs) {
    long tookNs;
    synchronized (this) {
      tookNs = nowNs - beganNs + (ticking ? 0 : System.nanoTime() - tickedNs);
    }
    String type = slow.size() < MOST_TYPES ? messageType : "other types";
    slow.merge(
        type,
        new SlowHandler(type, 1, tookNs, tookNs),
        (old, fresh) ->
            new SlowHandler(type, old.count() + 1, Math.max(old.longestNs(), tookNs), tookNs));
    FlightEvents.get().slowHandler(nodeId, peerId, messageType, tookNs);
    return tookNs;
  }

  /** What was slow, the longest first. */
  public List<SlowHandler> snapshot() {
    List<SlowHandler> found = new ArrayList<>(slow.values());
    found.sort(Comparator.comparingLong(SlowHandler::longestNs).reversed());
    return found;
  }

  synchronized boolean isTicking() {
    return ticking;
  }
}
