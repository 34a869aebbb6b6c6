package org.ringwire.tools.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What Java and the operating system provide. */
final class MachineChecks {

  private static final int JAVA = 25;
  private static final long FEW_FILES = 1024;
  private static final long KIB = 1024;

  /** What containers have by default. */
  private static final long LITTLE_SHARED = 64 * KIB * KIB;

  private static final String UNLIMITED = "unlimited";

  private final SystemFiles files;

  MachineChecks(SystemFiles files) {
    this.files = files;
  }

  List<Check> all() {
    return List.of(
        jdk(),
        cores(),
        cpuLimit(),
        memory(),
        memoryLock(),
        hugePages(),
        sharedMemory(),
        openFiles());
  }

  private static Check jdk() {
    String found =
        Runtime.version()
            + " ("
            + System.getProperty("java.vendor")
            + ") in "
            + System.getProperty("java.home");
    return Runtime.version().feature() >= JAVA
        ? Check.good("JDK", found)
        : Check.broken("JDK", found, "Ringwire needs Java " + JAVA + ": install it");
  }

  private Check cores() {
    int seen = Runtime.getRuntime().availableProcessors();
    long online =
        files.lines("proc/cpuinfo").stream().filter(line -> line.startsWith("processor")).count();
    String found =
        seen + " seen by the JVM" + (online > 0 ? ", " + online + " in the machine" : "");
    return seen >= 2
        ? Check.good("cores", found)
        : Check.limited(
            "cores", found, "waiting threads cannot spin on one core; give the process two");
  }

  private Check cpuLimit() {
    Optional<String> limit = files.line("sys/fs/cgroup/cpu.max");
    if (limit.isEmpty()) {
      return Check.good("CPU limit", "none known");
    }
    List<String> words = List.of(limit.get().split(" ", -1));
    if (words.size() != 2 || words.getFirst().equals("max")) {
      return Check.good("CPU limit", "none");
    }
    double cores = Double.parseDouble(words.getFirst()) / Double.parseDouble(words.getLast());
    String found = cores + " cores by cgroup";
    return cores >= 2
        ? Check.good("CPU limit", found)
        : Check.limited("CPU limit", found, "pauses when it is used up; allow two cores or more");
  }

  private Check memory() {
    List<String> facts = new ArrayList<>();
    facts.add("heap up to " + mib(Runtime.getRuntime().maxMemory()));
    files.value("proc/meminfo", "MemTotal").ifPresent(total -> facts.add("machine " + total));
    files
        .line("sys/fs/cgroup/memory.max")
        .filter(limit -> !limit.equals("max"))
        .ifPresent(limit -> facts.add("cgroup limit " + limit + " bytes"));
    return Check.good("memory", String.join(", ", facts));
  }

  private Check memoryLock() {
    Optional<String> limit = files.softLimit("Max locked memory");
    if (limit.isEmpty()) {
      return Check.good("locked memory", "no limit known");
    }
    if (limit.get().equals(UNLIMITED)) {
      return Check.good("locked memory", UNLIMITED);
    }
    return Check.good(
        "locked memory",
        "up to " + Long.parseLong(limit.get()) / KIB + " KiB (only InfiniBand needs more)");
  }

  private Check hugePages() {
    String total = files.value("proc/meminfo", "HugePages_Total").orElse("0");
    String size = files.value("proc/meminfo", "Hugepagesize").orElse("unknown size");
    String transparent =
        files.line("sys/kernel/mm/transparent_hugepage/enabled").orElse("not known");
    return Check.good(
        "huge pages", total + " reserved of " + size + "; transparent: " + transparent);
  }

  private Check sharedMemory() {
    OptionalLong free = files.freeBytes("dev/shm");
    if (free.isEmpty()) {
      return Check.good("/dev/shm", "none");
    }
    String found = mib(free.getAsLong()) + " free";
    return free.getAsLong() > LITTLE_SHARED
        ? Check.good("/dev/shm", found)
        : Check.limited(
            "/dev/shm",
            found,
            "rings of the transport shm lie there, one per connection;"
                + " allow more: --shm-size for a container");
  }

  private Check openFiles() {
    Optional<String> limit = files.softLimit("Max open files");
    if (limit.isEmpty() || limit.get().equals(UNLIMITED)) {
      return Check.good("open files", limit.orElse("no limit known"));
    }
    String found = "up to " + limit.get();
    return Long.parseLong(limit.get()) > FEW_FILES
        ? Check.good("open files", found)
        : Check.limited("open files", found, "each connection needs two: raise it with ulimit -n");
  }

  private static String mib(long bytes) {
    return bytes / KIB / KIB + " MiB";
  }
}
