package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
final class QueueEndTest {

  @Test
  void shouldTakeWhatDevicesHaveAndNothingElse() {
    assertThatCode(() -> new QueueEnd(1, 0, 0, 0, 0, 1, 1)).doesNotThrowAnyException();
    assertThatCode(() -> new QueueEnd(0xffffff, 0xffffff, 0xffff, -1, -1, 5, 255))
        .doesNotThrowAnyException();
    refuse("queuePair", 0, 0, 0, 1, 1);
    refuse("queuePair", 1 << 24, 0, 0, 1, 1);
    refuse("packetNumber", 1, 1 << 24, 0, 1, 1);
    refuse("lid", 1, 0, 1 << 16, 1, 1);
    refuse("mtu", 1, 0, 0, 0, 1);
    refuse("mtu", 1, 0, 0, 6, 1);
    refuse("readAtomic", 1, 0, 0, 1, 0);
    refuse("readAtomic", 1, 0, 0, 1, 256);
  }

  private static void refuse(
      String what, int queuePair, int packetNumber, int lid, int mtu, int readAtomic) {
    assertThatThrownBy(() -> new QueueEnd(queuePair, packetNumber, lid, 0, 0, mtu, readAtomic))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(what);
  }
}
