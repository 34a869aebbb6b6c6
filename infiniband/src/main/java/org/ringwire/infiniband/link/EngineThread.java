package org.ringwire.infiniband.link;

import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;
import org.ringwire.infiniband.verbs.EventPoll;
import org.ringwire.infiniband.verbs.types.AsyncEvent;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.InterestQueue;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;

/**
 * The thread of an engine that drives the ends of links, and what others leave to it. Links that
 * want something of it are in an {@link InterestQueue}, each once, whatever the number of links: so
 * the next one is found in O(1) (Ibdxnet paper, section V). What else it does is the engine's
 * {@link Duty}.
 *
 * <p><em>Nothing is slept over.</em> Others write what they want and then read {@code asleep}; this
 * thread writes {@code asleep} ({@link #beginWait}) and then looks. All are volatile, and a wake-up
 * before the wait ends it at once.
 *
 * <p><em>Without heap.</em> A round for which there is none costs nothing but time: what it has not
 * done stays where it was, and the next round finds it.
 */
public final class EngineThread {

  /** Interest: the end of a link may perhaps go on. */
  public static final int CLOSE = 1;

  /** Interest: an attempt has a time limit. */
  static final int LIMIT = 2;

  /** How long a thread waits that had no heap. A constant: none is loaded to read it. */
  public static final long NO_HEAP_PAUSE_NS = 1_000_000;

  private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(4);
  private static final TransportLog LOG = TransportLog.of(EngineThread.class);

  private final TransportConfig config;
  private final LinkRegister<?> register;
  private final EventPoll events;
  private final Supplier<@Nullable AsyncEvent> deviceEvents;
  private final Duty duty;
  private final Thread thread;
  private final InterestQueue interests = new InterestQueue();
  private final Queue<EngineLink> starved = new ConcurrentLinkedQueue<>(); // each once
  private final TimedLinks timed = new TimedLinks(); // this thread only, as the next two
  private long endDeadlineNs;
  private boolean ending;
  private InterestQueue.@Nullable Node taken; // what is left of those that were taken
  private boolean lacksHeap;
  private boolean eventsLeft; // there was no heap for them
  private volatile boolean asleep;
  private volatile boolean shutdown;

  /**
   * What an engine does on the thread, beside driving ends; on that thread only. Interests of links
   * from 4 on are the engine's.
   */
  public interface Duty {

    /** Does what there is to do, with {@link #applyInterests}; returns whether it was anything. */
    boolean work();

    /**
     * Looks again at once, or waits for an event; after {@link #work}, unless that was the last.
     */
    void rest(boolean any);

    /** The device tells that a queue pair has failed. */
    void queuePairFailed(AsyncEvent event);

    /** The device tells that a queue pair, in its error state, takes no more receive requests. */
    void lastRequestReached(AsyncEvent event);

    /** The device tells that a port has changed: its state, or its addresses. */
    void portChanged(AsyncEvent event);

    /** The last call: no link is left, or waited for any longer. */
    void ended();
  }

  /**
   * Not started.
   *
   * @param events end its waits; not closed by it
   * @param deviceEvents takes an event of the device, or null if there is none
   */
  public EngineThread(
      TransportConfig config,
      String name,
      LinkRegister<?> register,
      EventPoll events,
      Supplier<@Nullable AsyncEvent> deviceEvents,
      Duty duty) {
    this.config = config;
    this.register = register;
    this.events = events;
    this.deviceEvents = deviceEvents;
    this.duty = duty;
    thread = TransportThreads.create(config, name, this::run);
  }

  /** The links whose ends it drives. */
  LinkRegister<?> register() {
    return register;
  }

  /** How long an attempt may take. */
  Duration connectTimeout() {
    return config.connectTimeout();
  }

  // Any thread.

  /** Starts it, once. */
  public void start() {
    thread.start();
  }

  /** Whether it is the caller. */
  public boolean isCurrent() {
    return Thread.currentThread().equals(thread);
  }

  /** Leaves interests of a link, and wakes the thread if need be. */
  void signal(LinkLife link, int wanted) {
    if (interests.add(link, wanted) == InterestQueue.Outcome.FIRST) {
      wake();
    }
  }

  /** A link waits for what all links share. */
  public void starve(EngineLink link) {
    if (link.life().starves(true)) {
      boolean added = false;
      try {
        added = starved.add(link);
      } finally {
        if (!added) { // there is no heap
          boolean _ = link.life().starves(false);
        }
      }
    }
    wake();
  }

  /** Something was left to it: ends its wait, if it waits. */
  public void wake() {
    if (asleep) { // pairs with the write in beginWait()
      events.wakeup();
    }
  }

  /** Ends all links, and then the thread. */
  public void shutdown() {
    shutdown = true;
    wake();
  }

  /** Waits until it has ended, unless it is the caller. */
  public void awaitEnd(long timeoutNs) {
    boolean _ = TransportThreads.awaitEnd(thread, timeoutNs);
  }

  // The thread.

  private void run() {
    try {
      boolean last = false;
      while (!last) {
        last = tryWork();
      }
    } catch (Throwable e) {
      register.fail(e); // there may be no heap for the log
      LOG.log(System.Logger.Level.ERROR, thread.getName() + " failed; all links are closed", e);
    } finally {
      end();
    }
  }

  private boolean tryWork() {
    try {
      return doWork();
    } catch (OutOfMemoryError e) {
      lacksHeap = true; // and nothing else, for which there might be none either
      return false;
    }
  }

  /** One round; returns whether it was the last. */
  private boolean doWork() {
    if (lacksHeap) {
      lacksHeap = false;
      Pause.blocked(this, NO_HEAP_PAUSE_NS);
    }
    Thread.interrupted(); // left behind by a handler
    boolean any = duty.work();
    if (eventsLeft) {
      takeDeviceEvents();
    }
    if (!timed.isEmpty()) {
      long nowNs = System.nanoTime();
      if (nowNs - timed.nextLookNs() >= 0) {
        takeDeviceEvents(); // a thread that spins would not hear of them
      }
      timed.look(nowNs);
    }
    if (shutdown && isFinished()) {
      return true;
    }
    duty.rest(any);
    return false;
  }

  /** Does what others have left to it; returns whether that was anything. */
  public boolean applyInterests() {
    InterestQueue.Node node = taken == null ? interests.takeAll() : taken;
    boolean any = node != null;
    while (node != null) {
      taken = node.unlink(); // those behind it are not lost if this round comes to no end
      LinkLife link = (LinkLife) node;
      apply(link, link.takeInterests());
      node = taken;
    }
    return any;
  }

  private void apply(LinkLife link, int wanted) {
    try {
      if ((wanted & (LIMIT | CLOSE)) != 0) {
        timed.add(link);
      }
      if ((wanted & CLOSE) != 0) {
        TimedLinks.proceed(link, System.nanoTime());
      }
      link.link().apply(wanted);
    } catch (OutOfMemoryError e) {
      signal(link, wanted);
      throw e;
    } catch (Throwable e) {
      link.fail(e);
    }
  }

  /**
   * Links that lack what all share look again: as many as were there when this began. Who finds
   * nothing keeps its place, and so does one for which there is no heap; who has found something
   * and lacks more comes behind those. So none takes all that others give back, again and again.
   */
  public void resumeStarved() {
    if (starved.isEmpty()) {
      return;
    }
    int left = starved.size();
    for (Iterator<EngineLink> all = starved.iterator(); left > 0 && all.hasNext(); left--) {
      resume(all.next(), all);
    }
  }

  /** Takes a link out of its place, which this thread alone does, unless it keeps it. */
  private static void resume(EngineLink link, Iterator<EngineLink> place) {
    boolean _ = link.life().starves(false); // before it looks, and perhaps waits again
    boolean resumed = false;
    try {
      resumed = link.resume();
    } finally {
      if (resumed || !link.life().starves(true)) { // or it has another place by now
        place.remove();
      }
    }
  }

  /** Whether links lack what all share. */
  public boolean hasStarved() {
    return !starved.isEmpty();
  }

  /** Whether links open or end. */
  public boolean hasTimed() {
    return !timed.isEmpty();
  }

  /** From now on others end the wait that may follow; {@link #endWait} follows. */
  public void beginWait() {
    asleep = true; // volatile; pairs with the read in wake()
  }

  /** Whether others have left nothing to it; after {@link #beginWait}. */
  public boolean mayWait() {
    return taken == null && interests.isEmpty() && shutdown == ending;
  }

  /**
   * Waits for an event or a wake-up, or until a link or the thread itself has a limit.
   *
   * @param timeoutMs at most; a negative one is no limit
   */
  public void await(long timeoutMs) {
    long nowNs = System.nanoTime();
    long limitMs = timeoutMs;
    if (!timed.isEmpty()) {
      limitMs = earlier(limitMs, timed.nextLookNs() - nowNs);
    }
    if (ending) {
      limitMs = earlier(limitMs, endDeadlineNs - nowNs);
    }
    boolean _ = events.await(limitMs);
  }

  /**
   * The earlier one of two limits, in milliseconds.
   *
   * @param timeoutMs a negative one is no limit
   */
  public static long earlier(long timeoutMs, long leftNs) {
    long leftMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs) + 1);
    return timeoutMs < 0 ? leftMs : Math.min(timeoutMs, leftMs);
  }

  /** It waits no more. */
  public void endWait() {
    asleep = false;
    if (events.isAsyncEventReady()) {
      takeDeviceEvents();
    }
    if (events.takeFailure()) {
      failAll("it tells of nothing any more");
    }
  }

  private void takeDeviceEvents() {
    eventsLeft = true;
    AsyncEvent event = deviceEvents.get();
    while (event != null) {
      switch (event.type()) {
        case QP_LAST_WQE_REACHED -> duty.lastRequestReached(event);
        case DEVICE_FATAL, CQ_ERR, SRQ_ERR -> failAll(event);
        case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR -> duty.queuePairFailed(event);
        default -> {
          if (event.type().isOfPort()) {
            duty.portChanged(event);
          } else {
            LOG.log(System.Logger.Level.DEBUG, "device: " + event, null);
          }
        }
      }
      event = deviceEvents.get();
    }
    eventsLeft = false;
  }

  /** The device has failed, and nothing opens it again: so have all links, those to come, too. */
  public void failAll(AsyncEvent event) {
    failAll(event.toString());
  }

  private void failAll(String why) {
    LOG.log(System.Logger.Level.ERROR, "device failed; its links are closed: " + why, null);
    register.fail(new IOException("device failed: " + why));
  }

  /** Once the thread shall end: whether no link is left, or that has taken too long. */
  private boolean isFinished() {
    long nowNs = System.nanoTime();
    if (!ending) {
      ending = true;
      endDeadlineNs = nowNs + END_TIMEOUT_NS;
    }
    return register.isEmpty() || nowNs - endDeadlineNs >= 0;
  }

  private void end() {
    try {
      register.forceAll();
      InterestQueue.Node node = interests.end();
      while (node != null) {
        node = node.unlink(); // all links have ended
      }
    } finally {
      duty.ended();
    }
  }
}
