package org.ringwire.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class FrameLayoutTest {

  @Test
  void shouldKeepEveryPartOfAHeader() {
    for (int kind : new int[] {0, 1, 24, 127, 128, 255}) {
      for (int type : new int[] {0, 1, 0x7FFF, 0x8000, 0xFFFF}) {
        for (int length : new int[] {8, 9, 1 << 30, FrameLayout.MAX_LENGTH}) {
          long header = FrameLayout.header(kind, type, length);

          assertThat(FrameLayout.kind(header)).isEqualTo(kind);
          assertThat(FrameLayout.type(header)).isEqualTo(type);
          assertThat(FrameLayout.length(header)).isEqualTo(length);
          assertThat(FrameLayout.flags(header)).isZero();
        }
      }
    }
  }

  @Test
  void shouldMarkFramesThatUseAGrant() {
    long header = FrameLayout.header(FrameLayout.MESSAGE, 0xFFFF, FrameLayout.MAX_LENGTH);
    long granted = FrameLayout.granted(header);

    assertThat(FrameLayout.isGranted(header)).isFalse();
    assertThat(FrameLayout.isGranted(granted)).isTrue();
    assertThat(FrameLayout.flags(granted)).isEqualTo(FrameLayout.GRANTED);
    assertThat(FrameLayout.kind(granted)).isEqualTo(FrameLayout.MESSAGE);
    assertThat(FrameLayout.type(granted)).isEqualTo(0xFFFF);
    assertThat(FrameLayout.length(granted)).isEqualTo(FrameLayout.MAX_LENGTH);
  }

  @Test
  void shouldKeepHostileLengthsNegative() {
    assertThat(FrameLayout.length(-1)).isEqualTo(-1);
    assertThat(FrameLayout.flags(-1)).isEqualTo(255);
    assertThat(FrameLayout.kind(-1)).isEqualTo(255);
  }

  @Test
  void shouldRoundUpToTheAlignment() {
    for (int length = 1; length <= 8; length++) {
      assertThat(FrameLayout.occupied(length)).isEqualTo(8);
      assertThat(FrameLayout.occupied(8 + length)).isEqualTo(16);
    }
    assertThat(FrameLayout.occupied(FrameLayout.MAX_LENGTH)).isEqualTo(FrameLayout.MAX_LENGTH);
    assertThat(FrameLayout.occupied(Integer.MAX_VALUE)).isEqualTo(1L << 31);
  }

  @Test
  void shouldStandInLittleEndianAtAnyOffset() {
    byte[] bytes = new byte[11];
    MemorySegment memory = MemorySegment.ofArray(bytes);

    FrameLayout.writeWord(memory, 3, FrameLayout.header(1, 0x0203, 0x04050607));

    assertThat(bytes).containsExactly(0, 0, 0, 7, 6, 5, 4, 3, 2, 1, 0);
    assertThat(FrameLayout.readHeader(memory, 3)).isEqualTo(FrameLayout.readWord(memory, 3));
  }
}
