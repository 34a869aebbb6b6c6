package org.ringwire.tools.soak;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.Node;

/**
 * What a process that is at rest holds.
 *
 * @param heapBytes used after a collection
 * @param nativeBytes native memory of the library
 * @param threads live threads of Java
 * @param descriptors open files
 */
record Resources(long heapBytes, long nativeBytes, int threads, int descriptors) {

  private static final int STEADY_LOOKS = 60; // not a time, in which a process may stand still
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long POLL_NS = 50_000_000;

  /**
   * Waits until memory and threads that are held for a while only are given back, and measures. A
   * connection that rests says now and then that it is there, for which its ring needs memory for a
   * moment: what counts is the least, once it has not become less for a while.
   */
  static Resources of(Node node) {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    Resources least = now(node);
    int looks = 0;
    while (looks < STEADY_LOOKS && System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(POLL_NS);
      Resources next = least.least(now(node));
      looks = next.equals(least) ? looks + 1 : 0;
      least = next;
    }
    return new Resources(usedHeap(), least.nativeBytes, least.threads, least.descriptors);
  }

  private Resources least(Resources other) {
    return new Resources(
        Math.min(heapBytes, other.heapBytes),
        Math.min(nativeBytes, other.nativeBytes),
        Math.min(threads, other.threads),
        Math.min(descriptors, other.descriptors));
  }

  private static Resources now(Node node) {
    return new Resources(
        0,
        node.metrics().nativeBytes(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        descriptorCount());
  }

  private static long usedHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  /** 0 where the system does not tell. */
  private static int descriptorCount() {
    String[] open = new File("/proc/self/fd").list();
    return open == null ? 0 : open.length;
  }
}
