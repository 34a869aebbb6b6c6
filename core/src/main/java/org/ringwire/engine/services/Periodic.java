package org.ringwire.engine.services;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the timer of a node does again and again, whatever goes wrong: a task that throws would not
 * be called any more. The timer's thread only.
 */
public final class Periodic {

  private final NodeServices services;
  private final String name;
  private final Runnable action;
  private @Nullable Throwable failure; // not told of yet

  private Periodic(NodeServices services, String name, Runnable action) {
    this.services = services;
    this.name = name;
    this.action = action;
  }

  /**
   * Begins; ends with the timers of the node.
   *
   * @param name for reports
   * @param periodNs nanoseconds from the end of one call to the beginning of the next
   */
  public static void start(NodeServices services, String name, long periodNs, Runnable action) {
    Periodic periodic = new Periodic(services, name, action);
    long delayNs = Math.max(1, periodNs);
    try {
      ScheduledFuture<?> _ =
          services
              .timers()
              .scheduleWithFixedDelay(periodic::run, delayNs, delayNs, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      services.errors().debug("the node has ended: no " + name);
    }
  }

  private void run() {
    try {
      tell();
      action.run();
    } catch (RuntimeException | Error e) {
      failure = e; // and nothing else, for which there might be no memory either
    }
  }

  private void tell() {
    Throwable untold = failure;
    if (untold != null) {
      failure = null;
      services.errors().report(name, untold);
    }
  }
}
