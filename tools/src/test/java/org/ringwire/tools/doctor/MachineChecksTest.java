package org.ringwire.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineChecksTest {

  @TempDir private Path root;

  @Test
  void shouldWorkWhereNothingIsKnown() {
    assertThat(new MachineChecks(new SystemFiles(root)).all())
        .hasSize(8)
        .noneMatch(check -> check.status() == Check.Status.BROKEN);
  }

  @Test
  void shouldNoticeLimits() throws IOException {
    write("sys/fs/cgroup/cpu.max", "150000 100000\n");
    write("sys/fs/cgroup/memory.max", "1073741824\n");
    write(
        "proc/self/limits",
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max locked memory         65536                65536                bytes
        Max open files            1024                 524288               files
        """);

    assertThat(check("CPU limit"))
        .isEqualTo(
            Check.limited(
                "CPU limit",
                "1.5 cores by cgroup",
                "pauses when it is used up; allow two cores or more"));
    assertThat(check("open files").status()).isEqualTo(Check.Status.LIMITED);
    assertThat(check("locked memory").found()).contains("64 KiB");
    assertThat(check("memory").found()).contains("cgroup limit 1073741824 bytes");
  }

  @Test
  void shouldNotComplainAboutPlenty() throws IOException {
    write("sys/fs/cgroup/cpu.max", "max 100000\n");
    write("proc/self/limits", "Max open files            65536    65536    files\n");
    write("proc/meminfo", "HugePages_Total:       8\nHugepagesize:       2048 kB\n");

    assertThat(check("CPU limit").status()).isEqualTo(Check.Status.GOOD);
    assertThat(check("open files").status()).isEqualTo(Check.Status.GOOD);
    assertThat(check("huge pages").found()).startsWith("8 reserved of 2048 kB");
  }

  @Test
  void shouldTellHowMuchMemoryCanBeShared() throws IOException {
    assertThat(check("/dev/shm").found()).isEqualTo("none");
    Files.createDirectories(root.resolve("dev/shm"));
    assertThat(check("/dev/shm").found()).endsWith(" MiB free");
  }

  private Check check(String name) {
    return new MachineChecks(new SystemFiles(root))
        .all().stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  private void write(String file, String content) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }
}
