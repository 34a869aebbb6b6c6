package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What was freed leaves the process, though the C library would keep it. */
@ExtendWith(NodeWatcher.class)
@EnabledOnOs(OS.LINUX)
class NativeTrimTest {

  private static final int RINGS = 128;
  private static final long MIB = 1 << 20;

  @Test
  void shouldGiveBackWhatRingsHaveHeld() throws IOException {
    assumeThat(Files.exists(Path.of("/etc/ld-musl-x86_64.path"))).as("musl").isFalse();
    takeAndFree(); // from now on glibc keeps what is freed
    NativeTrim.trim();
    long before = residentMib();
    takeAndFree();
    assertThat(NativeTrim.isDue()).isTrue();
    NativeTrim.trim();
    assertThat(NativeTrim.isDue()).isFalse();
    assertThat(residentMib() - before).as("MiB more in RAM than before").isLessThan(RINGS / 2);
  }

  private static void takeAndFree() {
    List<NativeMemory.Scope> rings = new ArrayList<>();
    List<NativeMemory.Scope> others = new ArrayList<>(); // between them, and kept for longer
    for (int i = 0; i < RINGS; i++) {
      NativeMemory.Scope ring = NativeMemory.open("ring");
      ring.allocate(MIB, 64);
      rings.add(ring);
      NativeMemory.Scope other = NativeMemory.open("other");
      other.allocate(1 << 10, 64);
      others.add(other);
    }
    rings.forEach(NativeMemory.Scope::close);
    assertThat(NativeTrim.isDue()).isTrue();
    others.forEach(NativeMemory.Scope::close);
  }

  private static long residentMib() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10)
        .findFirst()
        .orElseThrow();
  }
}
