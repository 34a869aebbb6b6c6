package org.ringwire.tools.bench.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes allocated on the heap. */
public final class Allocation {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  /** By all threads of this process, those that ended included. */
  public static long ofProcess() {
    return THREADS.getTotalThreadAllocatedBytes();
  }

  /** By the calling thread. */
  public static long ofThisThread() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }
}
