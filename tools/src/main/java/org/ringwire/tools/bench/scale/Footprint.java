package org.ringwire.tools.bench.scale;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ringwire.Node;

/**
 * What a process holds; 0 where the operating system does not tell.
 *
 * @param residentBytes memory of the whole process that is in RAM, heap and JVM included
 * @param peakResidentBytes the most that it ever was
 * @param nativeBytes native memory of the library, as it counts itself
 * @param heapBytes heap in use after a collection
 * @param heapMaxBytes what the heap may be at most
 * @param descriptors open files
 * @param threads Java threads
 */
record Footprint(
    long residentBytes,
    long peakResidentBytes,
    long nativeBytes,
    long heapBytes,
    long heapMaxBytes,
    int descriptors,
    int threads) {

  private static final int COLLECTIONS = 3;

  /** Of this process, now. */
  static Footprint now(Node node) {
    long heap = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      heap = Math.min(heap, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return new Footprint(
        status("VmRSS:"),
        status("VmHWM:"),
        node.metrics().nativeBytes(),
        heap,
        Runtime.getRuntime().maxMemory(),
        descriptorCount(),
        ManagementFactory.getThreadMXBean().getThreadCount());
  }

  private static long status(String name) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith(name)) {
          return Long.parseLong(line.substring(name.length()).strip().split(" ", 2)[0]) << 10;
        }
      }
    } catch (IOException | NumberFormatException e) {
      return 0; // not Linux
    }
    return 0;
  }

  private static int descriptorCount() {
    String[] open = new File("/proc/self/fd").list();
    return open == null ? 0 : open.length;
  }
}
