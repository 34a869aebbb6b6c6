package org.ringwire.tools.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SoakResultTest {

  private static SoakResult grown(long heap, long nativeMemory, int threads, int files) {
    return new SoakResult(
        1,
        4,
        true,
        1,
        10,
        10,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        3,
        0,
        0,
        100,
        heap,
        nativeMemory,
        threads,
        files);
  }

  @Test
  void shouldCallGrowthWhatConnectionsDoNotExplain() {
    assertThat(grown(8 << 20, 0, 0, 18).grows()).isFalse();
    assertThat(grown((8 << 20) + 1, 0, 0, 0).grows()).isTrue();
    assertThat(grown(0, 1, 0, 0).grows()).isTrue();
    assertThat(grown(0, 0, 1, 0).grows()).isTrue();
    assertThat(grown(0, 0, 0, 19).grows()).isTrue();
  }
}
