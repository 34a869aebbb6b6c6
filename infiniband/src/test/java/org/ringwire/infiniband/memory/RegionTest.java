package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class RegionTest {

  @Test
  void shouldTakeTimesOfAnyLengthButNoNegativeOne() {
    assertThat(Region.nanoseconds(Duration.ZERO)).isZero();
    assertThat(Region.nanoseconds(Duration.ofSeconds(2))).isEqualTo(2_000_000_000L);
    long longest = Region.nanoseconds(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(longest).isBetween(Duration.ofDays(20_000).toNanos(), Long.MAX_VALUE / 2);
    assertRefused(Duration.ofNanos(-1));
    assertRefused(Duration.ofSeconds(Long.MIN_VALUE)); // would be over before it begins, or never
  }

  private static void assertRefused(Duration timeout) {
    assertThatThrownBy(() -> Region.nanoseconds(timeout))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("negative");
  }
}
