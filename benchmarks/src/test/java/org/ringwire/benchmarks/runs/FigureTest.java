package org.ringwire.benchmarks.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the tables show of a result, in which unit, and what of it is better. */
class FigureTest {
  private static final String RESULT =
      """
      {"messagesPerSecond":24200000.0,"payloadBytesPerSecond":6290000000.0,"nanosPerMessage":41.3,
      "rttMicros":{"mean":15.5,"p50":9.26,"p90":10.5,"p99":21.0,"p999":60.0,"max":900.0},
      "cpuSecondsPerMillionMessages":0.081,"cpuPercent":0.39,"floorPercent":0.2,
      "allocatedBytesPerMessage":{"sender":0.02,"receiver":80.5}}
      """;

  @ParameterizedTest
  @CsvSource({
    "MILLION_PER_SECOND, million/s, 24.2, more",
    "THOUSAND_PER_SECOND, thousand/s, 24200, more",
    "GIGABYTES_PER_SECOND, GB/s, 6.29, more",
    "NANOS_PER_MESSAGE, ns per message, 41.3, less",
    "ROUND_TRIP, 'us, p50', 9.26, less",
    "CPU_SECONDS, cpu s per million, 0.081, less",
    "ALLOCATED_SENDING, heap B per message sent, 0.02, less",
    "ALLOCATED_RECEIVING, heap B per message received, 80.5, less",
    "IDLE, % of a core, 0.39, less"
  })
  void shouldShowAFigureInItsUnit(Figure figure, String unit, double value, String better)
      throws Exception {
    JsonNode result = new ObjectMapper().readTree(RESULT);

    assertThat(figure.applyAsDouble(result)).isCloseTo(value, within(1e-9 * value));
    assertThat(figure.unit()).isEqualTo(unit);
    assertThat(figure.isLess()).isEqualTo(better.equals("less"));
  }

  @Test
  void shouldNotTakeWhatIsNoNumberForAFigure() throws Exception {
    for (String json : new String[] {"{}", "{\"nanosPerMessage\":null}"}) {
      JsonNode result = new ObjectMapper().readTree(json);

      assertThatThrownBy(() -> Figure.NANOS_PER_MESSAGE.applyAsDouble(result))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no number at /nanosPerMessage of the result");
    }
  }
}
