package org.ringwire.benchmarks.runs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel has counted so far; the difference of two tells how busy the machine was with
 * something else than the measurement.
 *
 * @param total ticks of all cores, idle ones included
 * @param busy ticks that some process used, or the hypervisor took away
 * @param own ticks of this process and of those it has waited for
 */
record MachineLoad(long total, long busy, long own) {
  /** Columns of the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq. */
  private static final int PROCESS_COLUMNS = 3;

  private static final int STEAL_COLUMN = 7;
  private static final int COLUMNS = 8;

  /**
   * Position of utime behind the command's name in /proc/self/stat; stime, cutime, cstime follow.
   */
  private static final int FIRST_OWN_COLUMN = 11;

  private static final int OWN_COLUMNS = 4;

  /** Null where there is no /proc. */
  static @Nullable MachineLoad now() {
    try {
      return parse(
          Files.readAllLines(Path.of("/proc/stat")).getFirst(),
          Files.readString(Path.of("/proc/self/stat")));
    } catch (IOException e) {
      return null;
    }
  }

  static MachineLoad parse(String machine, String process) {
    long[] columns = numbers(machine.substring(machine.indexOf(' ')), 0, COLUMNS);
    // Work of the network stack counts as softirq, for the machine alone: it is nobody's here.
    long busy = columns[STEAL_COLUMN];
    for (int i = 0; i < PROCESS_COLUMNS; i++) {
      busy += columns[i];
    }
    String behindName = process.substring(process.lastIndexOf(')') + 1);
    long own = Arrays.stream(numbers(behindName, FIRST_OWN_COLUMN, OWN_COLUMNS)).sum();
    return new MachineLoad(Arrays.stream(columns).sum(), busy, own);
  }

  private static long[] numbers(String text, int from, int count) {
    List<String> words = List.of(text.trim().split("\\s+", -1));
    return words.subList(from, from + count).stream().mapToLong(Long::parseLong).toArray();
  }

  /** Share of the machine, 0 to 1, that others had since {@code earlier}. */
  double othersSince(MachineLoad earlier) {
    long ticks = total - earlier.total;
    long others = (busy - earlier.busy) - (own - earlier.own);
    return ticks <= 0 ? 0 : Math.clamp((double) others / ticks, 0, 1);
  }
}
