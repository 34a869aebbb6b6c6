package org.ringwire.benchmarks.runs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineLoadTest {
  private static MachineLoad load(String machine, long... own) {
    String process =
        "17 (a b) c) S 1 1 1 0 -1 4 0 0 0 0 %d %d %d %d 20 0 1 0"
            .formatted(own[0], own[1], own[2], own[3]);
    return MachineLoad.parse(machine, process);
  }

  @Test
  void shouldTellWhatOthersHad() {
    MachineLoad before = load("cpu  100 10 50 1000 5 0 40 0 0 0", 20, 10, 5, 5);
    // 200 ticks pass: processes 110, of which 80 are ours; the network stack 30; stolen 10; idle 50
    MachineLoad after = load("cpu  160 20 90 1050 5 0 70 10 0 0", 40, 20, 35, 25);

    assertThat(after.othersSince(before)).isEqualTo(0.2);
    assertThat(before.othersSince(before)).isZero();
  }
}
