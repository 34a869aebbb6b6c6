package org.ringwire.tools.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes allocated on the heap. */
final class Allocation {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  /** By all threads of this process, those that ended included. */
  static long ofProcess() {
    return THREADS.getTotalThreadAllocatedBytes();
  }

  /** By the calling thread. */
  static long ofThisThread() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }
}
