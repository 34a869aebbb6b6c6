package org.ringwire.idle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The cores that this process may use: what the JVM says, which knows the affinity of the process,
 * {@code cpuset} and {@code cpu.max}, but as a whole number, rounded up; and the fraction that
 * {@code cpu.max} of the control groups (version 2; the same of version 1) allows. Each call reads
 * what holds now (some files of the kernel, 0.1 ms), but for what the JVM says, which is up to 20
 * ms old.
 */
final class Cores implements DoubleSupplier {

  private final IntSupplier processors;
  private final Path proc;
  private final Path root;

  Cores(IntSupplier processors, Path proc, Path root) {
    this.processors = processors;
    this.proc = proc;
    this.root = root;
  }

  static Cores ofProcess() {
    return new Cores(
        Runtime.getRuntime()::availableProcessors,
        Path.of("/proc/self/cgroup"),
        Path.of("/sys/fs/cgroup"));
  }

  @Override
  public double getAsDouble() {
    return Math.min(processors.getAsInt(), quota());
  }

  /** The least that the group of this process or one above it allows; infinite without limits. */
  private double quota() {
    double least = Double.POSITIVE_INFINITY;
    try {
      for (String line : Files.readAllLines(proc)) {
        String[] parts = line.split(":", 3); // number of hierarchy, its controllers, path
        if (parts.length == 3 && parts[1].isEmpty()) {
          least = Math.min(least, along(root, parts[2], true));
          least = Math.min(least, along(root.resolve("unified"), parts[2], true));
        } else if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains("cpu")) {
          least = Math.min(least, along(root.resolve(parts[1]), parts[2], false));
          least = Math.min(least, along(root.resolve("cpu"), parts[2], false));
        }
      }
    } catch (IOException | RuntimeException e) {
      return least; // no control groups, or not for us to read
    }
    return least;
  }

  private static double along(Path hierarchy, String path, boolean unified) {
    double least = Double.POSITIVE_INFINITY;
    Path top = hierarchy.normalize();
    Path group = top.resolve(path.substring(Math.min(1, path.length()))).normalize();
    while (group != null && group.startsWith(top)) {
      least = Math.min(least, unified ? quota(group) : firstQuota(group));
      group = group.getParent();
    }
    return least;
  }

  /** {@code cpu.max}: {@code QUOTA PERIOD}, in microseconds; the quota may be {@code max}. */
  private static double quota(Path group) {
    String text = read(group.resolve("cpu.max"));
    if (text == null || text.startsWith("max")) {
      return Double.POSITIVE_INFINITY;
    }
    String[] words = text.split(" ", -1);
    return words.length == 2 ? ratio(words[0], words[1]) : Double.POSITIVE_INFINITY;
  }

  private static double firstQuota(Path group) {
    String quota = read(group.resolve("cpu.cfs_quota_us"));
    String period = read(group.resolve("cpu.cfs_period_us"));
    return quota == null || period == null ? Double.POSITIVE_INFINITY : ratio(quota, period);
  }

  private static double ratio(String quota, String period) {
    try {
      double microseconds = Long.parseLong(quota);
      double of = Long.parseLong(period);
      return microseconds > 0 && of > 0 ? microseconds / of : Double.POSITIVE_INFINITY;
    } catch (NumberFormatException e) {
      return Double.POSITIVE_INFINITY;
    }
  }

  private static @Nullable String read(Path file) {
    try {
      return Files.isReadable(file) ? Files.readString(file).strip() : null;
    } catch (IOException e) {
      return null;
    }
  }
}
