package org.ringwire.tools.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Processor time that one process used while nothing was to be done.
 *
 * @param cpuNanos by all its threads, those of the JVM included
 * @param wallNanos length of the observation
 * @param threads Java threads that exist, busiest first
 */
record CpuUse(long cpuNanos, long wallNanos, List<ThreadUse> threads) {

  /**
   * Processor time of a thread.
   *
   * @param name its name
   * @param cpuMillis used during the observation
   */
  public record ThreadUse(String name, double cpuMillis) {}

  /** Observes this process. */
  static CpuUse during(Duration time) throws InterruptedException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    Map<Long, Long> threadsBefore = threadTimes();
    long cpuBefore = system.getProcessCpuTime();
    long wallBefore = System.nanoTime();
    Thread.sleep(time);
    long cpu = system.getProcessCpuTime() - cpuBefore;
    long wall = System.nanoTime() - wallBefore;
    List<ThreadUse> threads = since(threadsBefore);
    double threadsMs = threads.stream().mapToDouble(ThreadUse::cpuMillis).sum();
    // The process's time may come in steps of 10 ms; that of its threads is exact.
    return new CpuUse(Math.max(cpu, Math.round(threadsMs * 1e6)), wall, threads);
  }

  private static Map<Long, Long> threadTimes() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<Long, Long> times = new HashMap<>();
    for (long id : threads.getAllThreadIds()) {
      times.put(id, threads.getThreadCpuTime(id));
    }
    return times;
  }

  private static List<ThreadUse> since(Map<Long, Long> before) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    List<ThreadUse> uses = new ArrayList<>();
    threadTimes()
        .forEach((id, time) -> {
          ThreadInfo info = threads.getThreadInfo(id);
          if (info != null) {
            double ms = Math.max(0, time - before.getOrDefault(id, 0L)) / 1e6;
            uses.add(new ThreadUse(info.getThreadName(), ms));
          }
        });
    uses.sort(Comparator.comparingDouble(ThreadUse::cpuMillis).reversed());
    return uses;
  }
}
