package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What can be said of requests without a device; the tests with one show what becomes of them. */
final class RequestsTest {

  @Test
  void shouldRefuseWhatDoesNotFit() {
    try (Arena arena = Arena.ofConfined()) {
      SendRequests sends = new SendRequests(arena, 2, 3);
      assertThatThrownBy(() -> sends.addRange(1, 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(sends.add(SendOpcode.SEND, 7, 0)).isZero();
      sends.addRange(1, 2, 3);
      sends.addRange(1, 20, 3);
      sends.addRange(1, 200, 3);
      assertThatThrownBy(() -> sends.addRange(1, 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(sends.bytes(0)).isEqualTo(222);
      assertThat(sends.isFull()).isFalse();
      assertThat(sends.add(SendOpcode.SEND, -8, 0)).isEqualTo(1);
      assertThat(sends.isFull()).isTrue();
      assertThat(sends.bytes(1)).isZero();
      assertThat(sends.id(1)).isEqualTo(-8);
      assertThatThrownBy(() -> sends.add(SendOpcode.SEND, 9, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(sends.count()).isEqualTo(2);
      sends.clear();
      assertThat(sends.count()).isZero();
      assertThat(sends.capacity()).isEqualTo(2);
      assertThat(sends.maxRanges()).isEqualTo(3);
    }
  }

  @Test
  void shouldRefuseReceiveRequestsThatDoNotFit() {
    try (Arena arena = Arena.ofConfined()) {
      ReceiveRequests receives = new ReceiveRequests(arena, 1, 1);
      assertThatThrownBy(() -> receives.addRange(1, 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(receives.add(1)).isZero();
      receives.addRange(1, 2, 3);
      assertThatThrownBy(() -> receives.addRange(1, 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> receives.add(2)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(receives.count()).isEqualTo(1);
      assertThat(receives.isFull()).isTrue();
      assertThat(receives.id(0)).isEqualTo(1);
    }
  }

  @Test
  void shouldPostNothingOfAnEmptyChain() {
    try (Arena arena = Arena.ofConfined()) {
      SendRequests sends = new SendRequests(arena, 1, 1);
      assertThat(sends.post(MemorySegment.NULL, 1, 0)).isZero();
      sends.add(SendOpcode.SEND, 1, 0);
      assertThat(sends.post(MemorySegment.NULL, 1, 1)).isEqualTo(1);
      assertThat(sends.posts()).isZero();
    }
  }
}
