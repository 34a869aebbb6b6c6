package org.ringwire.benchmarks.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.benchmarks.Outcome;

/** Runs the comparison as a user does, for a moment. */
class CodecComparisonTest {

  @Test
  void shouldCompareEveryCodecAndMessage() throws Exception {
    JsonNode result = Outcome.of(CodecComparison.class, "--rounds 1 --json").json("bench-codec");

    assertThat(result.required("results")).hasSize(10);
    assertThat(result.required("kernel").textValue())
        .isEqualTo(System.getProperty("os.name") + " " + System.getProperty("os.version"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--rounds 0", "--rounds many", "--fast"})
  void shouldSayWhatIsWrongInOneLine(String words) throws Exception {
    Outcome outcome = Outcome.of(CodecComparison.class, words);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.errors().lines())
        .singleElement()
        .asString()
        .startsWith("ringwire bench codec: ")
        .endsWith("; see ./ringwire bench codec --help");
  }
}
