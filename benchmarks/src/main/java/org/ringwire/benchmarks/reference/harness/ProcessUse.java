package org.ringwire.benchmarks.reference.harness;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process has used so far.
 *
 * @param allocatedBytes heap bytes that all its threads have allocated
 * @param cpuNanos processor time of all its threads, those of the virtual machine included
 */
record ProcessUse(long allocatedBytes, long cpuNanos) {
  static ProcessUse now() {
    return new ProcessUse(
        ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes(),
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime());
  }
}
