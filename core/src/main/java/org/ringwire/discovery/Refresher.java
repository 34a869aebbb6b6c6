package org.ringwire.discovery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Loads addresses again and again on a thread of its own and keeps the last that were good. What
 * goes wrong is logged once, until it is something else or goes well again.
 *
 * <p>Any thread reads; the map is immutable and published by a volatile write of the one thread
 * that loads, or of the one that makes the first load before the directory is handed out.
 */
final class Refresher implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger("org.ringwire.discovery");

  private final String name;
  private final Callable<Map<Integer, String>> load;
  private final ScheduledExecutorService thread;
  private volatile Map<Integer, String> addresses = Map.of();
  private volatile @Nullable String problem;

  /**
   * Nothing is loaded before {@link #refresh} or {@link #start}.
   *
   * @param name what is loaded, for people
   * @param load yields all addresses or throws; may take its time
   */
  Refresher(String name, Callable<Map<Integer, String>> load) {
    this.name = name;
    this.load = load;
    thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform()
                .daemon()
                .name("ringwire-directory")
                .inheritInheritableThreadLocals(false) // of whoever opens it
                .factory());
  }

  /** Loads now, without tolerance. */
  void require() throws Exception {
    addresses = load.call();
  }

  /** Loads after every interval from now on. */
  void start(Duration interval) {
    long nanos = interval.toNanos();
    ScheduledFuture<?> _ =
        thread.scheduleWithFixedDelay(this::refresh, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** Loads now. Throws nothing, whatever is wrong, or nothing would be loaded any more. */
  void refresh() {
    try {
      addresses = load.call();
      if (problem != null) {
        problem = null;
        log(Level.INFO, "{0} is good again: nodes={1}", name, String.valueOf(addresses.size()));
      }
    } catch (Throwable e) { // whatever it is, the last good state is better than none
      String text = textOf(e);
      if (!text.equals(problem) && !thread.isShutdown()) {
        problem = text;
        log(
            Level.WARNING,
            "{0} is not usable, the {1} addresses known before stay: {2}",
            name,
            String.valueOf(addresses.size()), // a number would be of the locale
            text);
      }
    }
  }

  private static String textOf(Throwable failure) {
    try {
      return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    } catch (Throwable e) { // users' code
      return failure.getClass().getName();
    }
  }

  private static void log(Level level, String format, Object... facts) {
    try {
      LOGGER.log(level, format, facts);
    } catch (Throwable e) { // users' code
      // problem() tells
    }
  }

  Map<Integer, String> addresses() {
    return addresses;
  }

  /** What is wrong since the last good load, or null. */
  @Nullable String problem() {
    return problem;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
