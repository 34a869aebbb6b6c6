package org.ringwire.infiniband.link;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.TransportThreads;

/**
 * Makes ends of links ready for their peers. That may ask the network where an address is, and wait
 * a second for an answer that nobody gives; and whoever can connect may name such an address,
 * before anybody asks who it is. So it happens on threads of its own, and the one that reads what
 * all peers say of their ends goes on. The threads are daemons, which end when there is nothing to
 * do. They are platform threads: a call of the kernel would keep the carrier of a virtual one.
 *
 * <p>Of those that others open, more than {@link #MOST} at once wait for each other, each for no
 * longer than its attempt may take: then it has ended, and is passed over. Those that this side
 * opens have as many threads of their own, so that strangers do not hold them up.
 */
final class SetUpThreads {

  /** Links that are made ready at the same time. */
  static final int MOST = 16;

  private static final long KEPT_MS = 500;

  private final ThreadPoolExecutor opening;
  private final ThreadPoolExecutor accepting;

  /** Without a thread, so far. */
  SetUpThreads(TransportConfig config) {
    opening = threads(config, "ringwire-" + config.nodeId() + "-ib-open-");
    accepting = threads(config, "ringwire-" + config.nodeId() + "-ib-accept-");
  }

  private static ThreadPoolExecutor threads(TransportConfig config, String prefix) {
    AtomicInteger started = new AtomicInteger();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            MOST,
            MOST,
            KEPT_MS,
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(), // a link comes once
            body -> TransportThreads.create(config, prefix + started.getAndIncrement(), body));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /**
   * Does something that may wait; any thread.
   *
   * @param opens whether this side opens the link
   * @throws java.util.concurrent.RejectedExecutionException after {@link #close}
   */
  void run(boolean opens, Runnable step) {
    (opens ? opening : accepting).execute(step);
  }

  /** Takes nothing more; what waits is still done, which finds that its link has ended. */
  void close() {
    opening.shutdown();
    accepting.shutdown();
  }
}
