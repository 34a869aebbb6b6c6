package org.ringwire.metrics;

import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Reports what goes wrong in users' code and at the edges: each kind at most once per second, with
 * the number of its reports left out, so that what is rare shows while something else repeats. A
 * kind is what is said, with the message type if there is one, and the class of the failure. Kinds
 * beyond {@link #MOST_KINDS} share one limit, as peers and users can make up any number of them.
 *
 * <p>Any thread; nothing is thrown, whatever is reported and wherever it is logged, since who
 * reports has better things to do.
 */
public final class ErrorLog {

  private static final System.Logger LOGGER = System.getLogger("org.ringwire");
  private static final long INTERVAL_NS = 1_000_000_000;

  /** So many kinds have a limit of their own. */
  static final int MOST_KINDS = 64;

  /** A kind that was not logged for so long makes room for another one. */
  private static final long QUIET_NS = 60 * INTERVAL_NS;

  private final int nodeId;
  private final ConcurrentHashMap<Kind, Limit> limits = new ConcurrentHashMap<>();
  private final Limit others =
      new Limit(System.nanoTime()); // of kinds without a limit of their own
  private final LongAdder count = new LongAdder();

  /**
   * Told together. By the name of the class, which may go before this log does. What a record does
   * by itself for a map is made at the first report, of which there may be no other for ever if
   * there was no heap for that.
   */
  private record Kind(String text, @Nullable String failure) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Kind kind
          && text.equals(kind.text)
          && Objects.equals(failure, kind.failure);
    }

    @Override
    public int hashCode() {
      return 31 * text.hashCode() + Objects.hashCode(failure);
    }
  }

  /** When a kind may be logged again, and how often it was not since the last time. */
  private static final class Limit {
    final AtomicLong nextNs;
    final AtomicLong leftOut = new AtomicLong();

    Limit(long nowNs) {
      nextNs = new AtomicLong(nowNs);
    }
  }

  public ErrorLog(int nodeId) {
    this.nodeId = nodeId;
  }

  /** Something that an operator should know, and that is no failure of this process. */
  public void warn(String what) {
    log(what, null, null);
  }

  /** A failure. */
  public void report(String where, Throwable error) {
    log(where, null, error);
  }

  /** A failure; what is said of its place is put together here, where there may be no heap. */
  public void report(String where, @Nullable String place, Throwable error) {
    log(where, place, error);
  }

  /** Something that is no fault and that nobody can change; each is told, to who wants to know. */
  public void debug(String what) {
    try {
      LOGGER.log(System.Logger.Level.DEBUG, "node " + nodeId + ": " + what);
    } catch (Throwable e) { // users' code logs
      // nobody asked for it
    }
  }

  private void log(String text, @Nullable String place, @Nullable Throwable error) {
    try {
      count(error);
      tryLog(place == null ? text : text + place, error);
    } catch (Throwable e) { // users' code logs; even for counting there may be no memory
      others.leftOut.incrementAndGet(); // a later report tells
    }
  }

  private void count(@Nullable Throwable error) {
    if (error != null) {
      count.increment();
    }
  }

  private void tryLog(String text, @Nullable Throwable error) {
    long now = System.nanoTime();
    Limit limit = limitOf(new Kind(text, error == null ? null : error.getClass().getName()), now);
    long next = limit.nextNs.get();
    if (now - next < 0 || !limit.nextNs.compareAndSet(next, now + INTERVAL_NS)) {
      limit.leftOut.incrementAndGet();
      return;
    }
    String line =
        "node " + nodeId + ": " + text + " (" + limit.leftOut.getAndSet(0) + " reports left out)";
    LOGGER.log(System.Logger.Level.WARNING, line, printable(error));
  }

  private Limit limitOf(Kind kind, long nowNs) {
    Limit known = limits.get(kind);
    return known != null ? known : add(kind, nowNs);
  }

  private synchronized Limit add(Kind kind, long nowNs) {
    if (limits.size() >= MOST_KINDS) {
      forgetQuiet(nowNs);
    }
    if (limits.size() >= MOST_KINDS && !limits.containsKey(kind)) {
      return others;
    }
    Limit added = new Limit(nowNs);
    Limit known = limits.putIfAbsent(kind, added);
    return known == null ? added : known;
  }

  /** What was left out of them the others tell, but for reports that come at this very moment. */
  private void forgetQuiet(long nowNs) {
    Iterator<Map.Entry<Kind, Limit>> entries = limits.entrySet().iterator();
    while (entries.hasNext()) {
      Limit limit = entries.next().getValue();
      if (nowNs - limit.nextNs.get() >= QUIET_NS) {
        entries.remove();
        others.leftOut.addAndGet(limit.leftOut.get());
      }
    }
  }

  /** What a failure says of itself, or its class if even that fails. */
  public static String textOf(Throwable error) {
    String text = ownText(error);
    return text == null ? error.getClass().getName() + ", whose text cannot be had" : text;
  }

  private static @Nullable String ownText(Throwable error) {
    try {
      return error.toString();
    } catch (Throwable e) { // users' code
      return null;
    }
  }

  /** The failure itself if it can be printed, else one with its stack. */
  private static @Nullable Throwable printable(@Nullable Throwable error) {
    if (error == null || ownText(error) != null) {
      return error;
    }
    IllegalStateException printable = new IllegalStateException(textOf(error));
    printable.setStackTrace(error.getStackTrace());
    return printable;
  }

  public long count() {
    return count.sum();
  }
}
