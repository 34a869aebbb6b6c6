package org.ringwire.infiniband;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
final class MemoryDescriptorTest {

  private static final MemoryDescriptor GOOD =
      new MemoryDescriptor(65_535, -1, 0x7f00_1234_5678L, 1L << 40, -2, 5, 65_535);

  @Test
  void shouldComeBackFromBytes() {
    assertThat(MemoryDescriptor.ofBytes(GOOD.toBytes())).isEqualTo(GOOD);
    assertThat(GOOD.permitted())
        .containsExactlyInAnyOrder(MemoryPermission.READ, MemoryPermission.ATOMIC);
    assertThat(GOOD.permits(MemoryPermission.WRITE)).isFalse();
  }

  @Test
  void shouldNotTellItsKeyToLogs() {
    assertThat(GOOD.toString()).doesNotContain("-2").contains("65535", "READ");
  }

  @Test
  void shouldRefuseWhatIsNoMemory() {
    assertThatThrownBy(() -> new MemoryDescriptor(1, 0, 4096, 0, 0, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MemoryDescriptor(1, 0, -4096, 1, 0, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MemoryDescriptor(1, 0, 4096, Long.MAX_VALUE, 0, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MemoryDescriptor(1, 0, 4096, 1, 0, 8, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MemoryDescriptor(65_536, 0, 4096, 1, 0, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MemoryDescriptor(1, 0, 4096, 1, 0, 1, 65_536))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Any bytes are a descriptor within its bounds, or an argument that is wrong. */
  @Test
  void shouldReadAnyBytesOrSayWhatIsWrong() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = GOOD.toBytes();
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      bytes = Arrays.copyOf(bytes, random.nextInt(4) > 0 ? bytes.length : random.nextInt(64));
      try {
        MemoryDescriptor descriptor = MemoryDescriptor.ofBytes(bytes);
        assertThat(descriptor.length()).as("seed=" + seed).isPositive();
        assertThat(descriptor.address() + descriptor.length()).as("seed=" + seed).isPositive();
        assertThat(descriptor.toBytes()).as("seed=" + seed).isEqualTo(bytes);
        read++;
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).as("seed=" + seed).isNotEmpty();
      }
    }
    assertThat(read).as("seed=" + seed).isPositive();
  }
}
