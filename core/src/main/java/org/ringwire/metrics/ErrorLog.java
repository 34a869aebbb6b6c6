package org.ringwire.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Reports what goes wrong in users' code and at the edges, at most once per second, with the number
 * of reports left out. Any thread; nothing is thrown, whatever is reported and wherever it is
 * logged, since who reports has better things to do.
 */
public final class ErrorLog {

  private static final System.Logger LOGGER = System.getLogger("org.ringwire");
  private static final long INTERVAL_NS = 1_000_000_000;

  private final int nodeId;
  private final AtomicLong nextNs = new AtomicLong(System.nanoTime());
  private final AtomicLong suppressed = new AtomicLong();
  private final LongAdder count = new LongAdder();

  public ErrorLog(int nodeId) {
    this.nodeId = nodeId;
  }

  /** Something that an operator should know, and that is no failure of this process. */
  public void warn(String what) {
    log(what, null);
  }

  /** A failure. */
  public void report(String where, Throwable error) {
    log(where, error);
  }

  /** Something that is no fault and that nobody can change; each is told, to who wants to know. */
  public void debug(String what) {
    try {
      LOGGER.log(System.Logger.Level.DEBUG, "node " + nodeId + ": " + what);
    } catch (RuntimeException | Error e) {
      // nobody asked for it
    }
  }

  private void log(String text, @Nullable Throwable error) {
    try {
      count(error);
      tryLog(text, error);
    } catch (RuntimeException | Error e) { // even for counting there may be no memory
      suppressed.incrementAndGet(); // the next report tells
    }
  }

  private void count(@Nullable Throwable error) {
    if (error != null) {
      count.increment();
    }
  }

  private void tryLog(String text, @Nullable Throwable error) {
    long now = System.nanoTime();
    long next = nextNs.get();
    if (now - next < 0 || !nextNs.compareAndSet(next, now + INTERVAL_NS)) {
      suppressed.incrementAndGet();
      return;
    }
    String line =
        "node " + nodeId + ": " + text + " (" + suppressed.getAndSet(0) + " reports left out)";
    LOGGER.log(System.Logger.Level.WARNING, line, printable(error));
  }

  /** What a failure says of itself, or its class if even that fails. */
  public static String textOf(Throwable error) {
    String text = ownText(error);
    return text == null ? error.getClass().getName() + ", whose text cannot be had" : text;
  }

  private static @Nullable String ownText(Throwable error) {
    try {
      return error.toString();
    } catch (RuntimeException | Error e) { // users' code
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
