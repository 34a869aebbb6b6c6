package org.ringwire.tools.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class RttMicrosTest {

  @Test
  void shouldGiveMicrosecondsOfNanoseconds() {
    Histogram ns = RttMicros.newHistogram();
    for (int us = 1; us <= 1000; us++) {
      ns.recordValue(us * 1000L);
    }

    RttMicros rtt = RttMicros.of(ns);

    assertThat(rtt.mean()).isCloseTo(500.5, within(1.0));
    assertThat(rtt.p50()).isCloseTo(500, within(1.0));
    assertThat(rtt.p90()).isCloseTo(900, within(1.0));
    assertThat(rtt.p99()).isCloseTo(990, within(1.0));
    assertThat(rtt.p999()).isCloseTo(999, within(1.0));
    assertThat(rtt.max()).isCloseTo(1000, within(1.0));
  }

  @Test
  void shouldSayNothingLargerThanWhatWasMeasured() {
    Histogram one = RttMicros.newHistogram();
    one.recordValue(1_000_000_123L);
    one.recordValue(900_000_456L);
    Histogram all = RttMicros.newHistogram();
    all.add(one);

    RttMicros rtt = RttMicros.of(all);

    assertThat(rtt.max()).isEqualTo(1_000_000.123);
    assertThat(rtt.p999()).isEqualTo(rtt.max());
    assertThat(rtt.p50()).isCloseTo(900_000.456, within(900.0));
  }

  @Test
  void shouldGiveNothingOfNothing() {
    assertThat(RttMicros.of(RttMicros.newHistogram())).isEqualTo(new RttMicros(0, 0, 0, 0, 0, 0));
  }
}
