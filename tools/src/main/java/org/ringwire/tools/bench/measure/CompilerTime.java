package org.ringwire.tools.bench.measure;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the compilers of this JVM have cost. */
public final class CompilerTime {

  private static final Path TASKS = Path.of("/proc/self/task");

  private CompilerTime() {}

  /**
   * Processor time of the compilers' threads so far in milliseconds, what is being compiled now
   * included; less than before after one of them has ended. Where there is no {@code /proc}: the
   * wall time of what has been compiled, or 0 if nobody counts.
   */
  public static long millis() {
    String[] tasks = TASKS.toFile().list();
    return tasks == null ? finishedMillis() : millis(TASKS, tasks);
  }

  static long millis(Path folder, String... tasks) {
    long nanos = 0;
    for (String task : tasks) {
      Path each = folder.resolve(task);
      try {
        String name = Files.readString(each.resolve("comm"));
        if (name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler")) {
          nanos += CpuUse.ofTask(each);
        }
      } catch (IOException | RuntimeException e) {
        // it has ended meanwhile, or this system does not say
      }
    }
    return nanos / 1_000_000;
  }

  private static long finishedMillis() {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    return compilers != null && compilers.isCompilationTimeMonitoringSupported()
        ? compilers.getTotalCompilationTime()
        : 0;
  }
}
