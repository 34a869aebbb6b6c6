package org.ringwire.tools.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Processor time that one process used while nothing was to be done.
 *
 * @param cpuNanos by all its threads, those of the JVM included, without the one that observes
 * @param wallNanos length of the observation
 * @param threads Java threads that exist, busiest first
 */
public record CpuUse(long cpuNanos, long wallNanos, List<ThreadUse> threads) {

  private static final Path TASKS = Path.of("/proc/self/task");
  private static final Path OBSERVER = Path.of("/proc/thread-self");

  /**
   * Processor time of a thread.
   *
   * @param name its name
   * @param cpuMillis used during the observation
   */
  public record ThreadUse(String name, double cpuMillis) {}

  /** Processor time that this process has used so far. */
  public static long ofProcess() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Observes this process. */
  public static CpuUse during(Duration time) throws InterruptedException {
    Map<Long, Long> threadsBefore = threadTimes();
    Map<String, Long> tasksBefore = taskTimes();
    long cpuBefore = ofProcess();
    long wallBefore = System.nanoTime();
    Thread.sleep(time);
    long cpu = ofProcess() - cpuBefore;
    Map<String, Long> tasks = taskTimes();
    long wall = System.nanoTime() - wallBefore;
    List<ThreadUse> threads = since(threadsBefore);
    return new CpuUse(tasks.isEmpty() ? cpu : since(tasksBefore, tasks), wall, threads);
  }

  /**
   * The time of every thread, those of the JVM included, as the scheduler counts it; empty where it
   * does not say. The time of the process comes in steps of 10 ms, of samples that may miss or
   * favour who is woken by the same clock. Without the current thread, which observes.
   */
  private static Map<String, Long> taskTimes() {
    Map<String, Long> times = new HashMap<>();
    String[] tasks = TASKS.toFile().list();
    for (String task : tasks == null ? new String[0] : tasks) {
      try {
        if (OBSERVER.toRealPath().endsWith(task)) {
          continue;
        }
        times.put(task, ofTask(TASKS.resolve(task)));
      } catch (IOException | RuntimeException e) {
        // it has ended meanwhile, or this system does not say
      }
    }
    return times;
  }

  /** Processor time that a thread has used so far, by its folder below {@code /proc}. */
  static long ofTask(Path folder) throws IOException {
    String times = Files.readString(folder.resolve("schedstat"));
    return Long.parseLong(times.substring(0, times.indexOf(' ')));
  }

  private static long since(Map<String, Long> before, Map<String, Long> now) {
    return now.entrySet().stream()
        .mapToLong(task -> task.getValue() - before.getOrDefault(task.getKey(), 0L))
        .sum();
  }

  /** Of both, in per cent of a core. */
  public static double percent(List<CpuUse> uses) {
    return uses.stream().mapToDouble(u -> 100.0 * u.cpuNanos() / u.wallNanos()).sum();
  }

  private static Map<Long, Long> threadTimes() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<Long, Long> times = new HashMap<>();
    for (long id : threads.getAllThreadIds()) {
      if (id != Thread.currentThread().threadId()) {
        times.put(id, threads.getThreadCpuTime(id));
      }
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
