package org.ringwire.infiniband.verbs.library;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The limit of locked memory, which registered memory counts against, and how much is in use. */
public final class MemoryLock {

  private static final String NAME = "Max locked memory";
  private static final String UNLIMITED = "unlimited";
  private static final Path LIMITS = Path.of("/proc/self/limits");

  private static final AtomicLong REGISTERED = new AtomicLong();

  private MemoryLock() {}

  /** Counts bytes that were registered by this process, or fewer if negative. */
  public static void count(long bytes) {
    REGISTERED.addAndGet(bytes);
  }

  /** What to do when memory cannot be registered. */
  public static String hint() {
    List<String> lines;
    try {
      lines = Files.readAllLines(LIMITS);
    } catch (IOException _) {
      lines = List.of(); // not Linux, or hidden: the advice is the same
    }
    return hint(lines, REGISTERED.get());
  }

  /** As told by {@code /proc/self/limits}. */
  public static String hint(List<String> limits, long registered) {
    String[] values =
        limits.stream()
            .filter(line -> line.startsWith(NAME))
            .map(line -> line.substring(NAME.length()).strip().split("\\s+", 3))
            .findFirst()
            .orElse(new String[] {"unknown", "unknown"});
    if (values[0].equals(UNLIMITED)) {
      return "locked memory is not limited (RLIMIT_MEMLOCK):"
          + " the machine or the device is out of memory, registered="
          + registered;
    }
    return "locked memory is limited: RLIMIT_MEMLOCK="
        + values[0]
        + " bytes (hard limit "
        + values[1]
        + "), registered="
        + registered
        + " bytes; raise it with `ulimit -l unlimited` before Java starts"
        + " (for good: '* - memlock unlimited' in /etc/security/limits.conf,"
        + " LimitMEMLOCK=infinity in a systemd unit, --ulimit memlock=-1 for a container)";
  }
}
