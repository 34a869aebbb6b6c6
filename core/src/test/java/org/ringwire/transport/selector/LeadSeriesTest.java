package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** When leads follow each other so fast that the I/O thread takes care of the link. */
@ExtendWith(NodeWatcher.class)
class LeadSeriesTest {

  private static final long FAST_NS = LinkReader.TICK_NS / (2 * LeadSeries.LEAST);

  private final LeadSeries series = new LeadSeries();
  private long nowNs = Long.MAX_VALUE - 1_000_000; // clocks may overflow

  /** How often the I/O thread would be asked to attend. */
  private int lead(int leads, long distanceNs) {
    int asked = 0;
    for (int i = 0; i < leads; i++) {
      nowNs += distanceNs;
      asked += series.count(nowNs) ? 1 : 0;
    }
    return asked;
  }

  @Test
  void shouldAskForTheIoThreadOnceManyLeadsHaveComeFast() {
    lead(LeadSeries.LEAST, FAST_NS); // since a time that nobody knows
    assertThat(lead(LeadSeries.LEAST - 1, FAST_NS)).isZero();
    assertThat(lead(1, FAST_NS)).isOne();
    series.attend();
    assertThat(series.isAttended()).isTrue();
    assertThat(lead(10 * LeadSeries.LEAST, FAST_NS)).as("it is there").isZero();
  }

  @Test
  void shouldNotAskWhileLeadsAreRare() {
    lead(LeadSeries.LEAST, 4 * FAST_NS); // since a time that nobody knows
    assertThat(lead(100 * LeadSeries.LEAST, 4 * FAST_NS)).isZero();
  }

  @Test
  void shouldEndWithTheFirstTickOfFewLeads() {
    series.attend();
    for (int tick = 0; tick < 10; tick++) {
      lead(LeadSeries.LEAST, FAST_NS);
      assertThat(series.isOver()).isFalse();
    }
    lead(LeadSeries.LEAST - 1, FAST_NS);
    assertThat(series.isOver()).isTrue();
    assertThat(series.isAttended()).isFalse();
  }
}
