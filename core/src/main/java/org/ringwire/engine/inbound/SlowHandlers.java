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
import java.util.function.BinaryOperator;
import org.ringwire.NodeMetrics.SlowHandler;
import org.ringwire.flight.FlightEvents;

/**
 * Finds handlers that take longer than they should, without a clock per message where there are
 * many: whoever handles a message compares what {@link #now} says before and after.
 *
 * <p><b>While messages are few</b>, that reads the clock. Whoever reads it for the {@value
 * #CLOCK_READS}th time within a tick's period starts a timer instead, which moves a time of its own
 * on, a few times per threshold: a line that is written some ten times per threshold, and read
 * twice per message. The timer ends when nobody has called {@link #wake} for so long that a handler
 * that has begun before is over the threshold. So a message now and then starts no timer: each tick
 * would wake a thread whose memory others have displaced, and starting it would take longer than
 * the message.
 *
 * <p><b>No handler is called slow that was not.</b> A tick moves the time by at most half as much
 * again as its period, however late the timer was, so that a timer that was not scheduled makes the
 * time late and never makes it jump. Between two reads the time moves by at most one such step more
 * than has really passed, and that much is added to the threshold. By how much the time is late is
 * kept when the timer ends, so that the clock goes on where it stopped; it only ever grows. It is
 * written, with the lock held, before the word that sends readers to the clock (release), and they
 * read it after that word (acquire): one that finds a later value than belonged to the word gets an
 * earlier time, which calls nobody slow.
 *
 * <p><b>The time does not stand still while it is needed.</b> Whoever begins with a batch of
 * messages calls {@link #wake}, and so does whoever has seen the time move while a handler ran.
 */
public final class SlowHandlers {

  private static final int MOST_TYPES = 1024;
  private static final int TICKS_PER_THRESHOLD = 8;

  /** From so many on within a tick's period a timer costs less than they do. */
  static final int CLOCK_READS = 256;

  /** The least after which the time has moved by the threshold and the longest step. */
  private static final int QUIET_TICKS = TICKS_PER_THRESHOLD + 2;

  private static final long SHORTEST_PERIOD_NS = 1_000_000;

  /** In place of a time: the clock has it. */
  private static final long BY_CLOCK = Long.MIN_VALUE;

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

  /**
   * Ready before it is needed: a lambda that finds no heap where it comes first is lost for ever.
   */
  private static final BinaryOperator<SlowHandler> ADD = SlowHandlers::sum;

  private static final Comparator<SlowHandler> LONGEST_FIRST =
      Comparator.comparingLong(SlowHandler::longestNs).reversed();

  private final Runnable tick = this::tick; // one for all: making it is not compiled
  private final long periodNs;
  private final long limitNs;
  private final ConcurrentHashMap<String, SlowHandler> slow = new ConcurrentHashMap<>();

  @SuppressWarnings("unused") // by NOW; written under the lock
  private long nowNs = BY_CLOCK;

  private long lateNs; // written under the lock, before BY_CLOCK
  private volatile boolean active;
  private int clockReads; // a hint: some of several threads that read at once may not count
  private boolean ticking; // guarded by this, as the next
  private long tickedNs;
  private long countedNs;
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
    countedNs = System.nanoTime();
  }

  private long longestStep() {
    return periodNs + periodNs / 2;
  }

  /** Before a batch of messages is handled; any thread. */
  public void wake() {
    if (!active) {
      active = true;
    }
  }

  /** The time to compare with; any thread. */
  public long now() {
    long now = (long) NOW.getOpaque(this);
    return now == BY_CLOCK ? byClock() : now;
  }

  private long byClock() {
    VarHandle.acquireFence();
    long late = lateNs;
    if (++clockReads >= CLOCK_READS) {
      countReads();
    }
    return System.nanoTime() - late;
  }

  /** So many reads of the clock: starts the timer if they were close together. */
  private synchronized void countReads() {
    long realNs = System.nanoTime();
    boolean busy = realNs - countedNs < periodNs;
    countedNs = realNs;
    clockReads = 0;
    if (busy && !ticking && schedule()) {
      active = true;
      quietTicks = 0;
      tickedNs = realNs;
      ticking = true;
      NOW.setOpaque(this, realNs - lateNs);
    }
  }

  /** False if there is no next tick: then the clock has the time. */
  private boolean schedule() {
    try {
      ScheduledFuture<?> _ = timers.schedule(tick, periodNs, TimeUnit.NANOSECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      return false; // the node ends
    } catch (OutOfMemoryError e) {
      return false; // a handler is not to suffer from it
    }
  }

  private synchronized void tick() {
    long realNs = System.nanoTime();
    long now = (long) NOW.getOpaque(this) + Math.min(realNs - tickedNs, longestStep());
    tickedNs = realNs;
    quietTicks = active ? 0 : quietTicks + 1;
    active = false;
    ticking = quietTicks < QUIET_TICKS && schedule();
    if (ticking) {
      NOW.setOpaque(this, now);
    } else {
      lateNs = realNs - now;
      NOW.setRelease(this, BY_CLOCK);
    }
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
    long tookNs = now() - beganNs;
    String type = slow.size() < MOST_TYPES ? messageType : "other types";
    slow.merge(type, new SlowHandler(type, 1, tookNs, tookNs), ADD);
    FlightEvents.get().slowHandler(nodeId, peerId, messageType, tookNs);
    return tookNs;
  }

  private static SlowHandler sum(SlowHandler before, SlowHandler last) {
    return new SlowHandler(
        last.messageType(),
        before.count() + last.count(),
        Math.max(before.longestNs(), last.longestNs()),
        last.lastNs());
  }

  /** What was slow, the longest first. */
  public List<SlowHandler> snapshot() {
    List<SlowHandler> found = new ArrayList<>(slow.values());
    found.sort(LONGEST_FIRST);
    return found;
  }

  synchronized boolean isTicking() {
    return ticking;
  }
}
