package org.ringwire.benchmarks.reference.harness;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.ringwire.tools.bench.measure.CompilerTime;

/**
 * What this process has used so far.
 *
 * @param allocatedBytes heap bytes that all its threads have allocated
 * @param cpuNanos processor time of all its threads, those of the virtual machine included
 * @param compilerMillis how long its compilers have worked
 */
record ProcessUse(long allocatedBytes, long cpuNanos, long compilerMillis) {
  static ProcessUse now() {
    return new ProcessUse(
        ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes(),
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime(),
        CompilerTime.millis());
  }
}
