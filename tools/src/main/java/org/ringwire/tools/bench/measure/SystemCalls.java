package org.ringwire.tools.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls of a process that read and write, as the kernel counts them: data, and what wakes a thread
 * that waits for data. Calls that only wait are not counted.
 *
 * @param reads of files and sockets
 * @param writes to files and sockets
 */
public record SystemCalls(long reads, long writes) {

  private static final Path COUNTERS = Path.of("/proc/self/io");

  /** Those of this process so far; null where the kernel does not tell. */
  public static @Nullable SystemCalls ofProcess() {
    try {
      return parse(Files.readAllLines(COUNTERS));
    } catch (IOException e) {
      return null;
    }
  }

  static @Nullable SystemCalls parse(List<String> lines) {
    Long reads = value(lines, "syscr: ");
    Long writes = value(lines, "syscw: ");
    return reads == null || writes == null ? null : new SystemCalls(reads, writes);
  }

  private static @Nullable Long value(List<String> lines, String name) {
    for (String line : lines) {
      if (line.startsWith(name)) {
        return Long.valueOf(line.substring(name.length()).trim());
      }
    }
    return null;
  }

  /** What came since; null if either is not known. */
  public static @Nullable SystemCalls since(@Nullable SystemCalls earlier) {
    SystemCalls now = ofProcess();
    return now == null || earlier == null
        ? null
        : new SystemCalls(now.reads - earlier.reads, now.writes - earlier.writes);
  }

  /** The sum of two processes; null if either is not known. */
  public static @Nullable SystemCalls sum(@Nullable SystemCalls one, @Nullable SystemCalls two) {
    return one == null || two == null
        ? null
        : new SystemCalls(one.reads + two.reads, one.writes + two.writes);
  }
}
