package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** Memory of which only what is written takes pages of the machine. */
@ExtendWith(NodeWatcher.class)
class LazyMemoryTest {

  private static final long MIB = 1 << 20;

  private static MemorySegment map(Arena arena) {
    return Objects.requireNonNull(LazyMemory.map(arena, MIB));
  }

  @Test
  void shouldBeZeroAndItsOwnersAlone() {
    try (LazyMemory.LazyArena one = new LazyMemory.LazyArena();
        LazyMemory.LazyArena two = new LazyMemory.LazyArena()) {
      MemorySegment first = one.allocate(MIB, 64);
      MemorySegment second = two.allocate(MIB, 64);
      first.fill((byte) 5);
      assertThat(isZero(second)).isTrue();
      second.set(ValueLayout.JAVA_LONG, 8, 7);
      assertThat(first.get(ValueLayout.JAVA_BYTE, 8)).isEqualTo((byte) 5);
      assertThat(isZero(two.allocate(4 * MIB, 64))).isTrue();
    }
  }

  private static boolean isZero(MemorySegment memory) {
    return memory.mismatch(MemorySegment.ofArray(new byte[(int) memory.byteSize()])) == -1;
  }

  @Test
  void shouldLookToCompiledCodeAsOtherMemoryDoesAndEndWithItsArena() {
    int before = LazyMemory.mappings();
    LazyMemory.LazyArena arena = new LazyMemory.LazyArena();
    MemorySegment memory = arena.allocate(MIB, 64);
    assertThat(LazyMemory.mappings()).isEqualTo(before + 1);
    assertThat(memory.byteSize()).isEqualTo(MIB);
    assertThat(memory.address() % 4096).isZero();
    assertThat(memory.getClass()).isEqualTo(arena.allocate(64, 64).getClass());
    assertThat(memory.scope()).isEqualTo(arena.scope());
    arena.close();
    assertThat(LazyMemory.mappings()).isEqualTo(before);
    assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_LONG, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldServeThreadsThatAreInterrupted() {
    try (Arena arena = Arena.ofShared()) {
      Thread.currentThread().interrupt();
      MemorySegment memory = map(arena);
      assertThat(Thread.interrupted()).as("not lost").isTrue();
      memory.set(ValueLayout.JAVA_LONG, 0, 1);
      LazyMemory.unmapped();
    }
  }

  /** An interrupt in the middle of the call closes the file. */
  @Test
  void shouldComeBackAfterInterrupts() throws InterruptedException {
    try (Arena arena = Arena.ofShared()) {
      Thread mapping =
          Thread.ofPlatform()
              .start(() -> {
                for (int count = 0; count < 2_000; count++) {
                  try (LazyMemory.LazyArena own = new LazyMemory.LazyArena()) {
                    own.allocate(MIB, 64).set(ValueLayout.JAVA_LONG, 8, count);
                  }
                }
              });
      while (mapping.isAlive()) {
        mapping.interrupt();
        Thread.onSpinWait();
      }
      mapping.join();
      assertThat(isZero(map(arena))).isTrue();
      LazyMemory.unmapped();
    }
  }

  /** What keeps it from being made may pass, as when a process has no descriptors for a moment. */
  @Test
  void shouldBeTriedAgainAfterAFailure(@TempDir Path folder) throws Exception {
    assertThat(
            JavaProgram.run(
                LazyAgainProgram.class, "-Djava.io.tmpdir=" + folder.resolve("not there yet")))
        .contains("without a folder: false")
        .contains("with a folder: true");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldTakeOnlyWhatRingsHaveWritten() throws IOException {
    List<RingMemory> rings = new ArrayList<>();
    try {
      long before = anonymousMib();
      for (int count = 0; count < 400; count++) {
        RingMemory ring =
            new RingMemory("ring of a test", arena -> arena.allocate(MIB, 64), MIB, () -> {});
        rings.add(ring);
        Objects.requireNonNull(ring.take()).asSlice(0, 5000).fill((byte) 1);
      }
      assertThat(anonymousMib() - before).as("MiB of 400 rings").isLessThan(100);
    } finally {
      rings.forEach(RingMemory::close);
    }
  }

  private static long anonymousMib() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("RssAnon:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10)
        .findFirst()
        .orElseThrow();
  }
}
