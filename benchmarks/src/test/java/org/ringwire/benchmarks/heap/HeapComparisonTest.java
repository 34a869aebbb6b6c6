package org.ringwire.benchmarks.heap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.benchmarks.Outcome;

/** Runs the comparison as a user does, for a moment. */
class HeapComparisonTest {

  @ParameterizedTest
  @CsvSource({
    "--shape pairs --elements 10 --cycles --fresh, construct",
    "--shape floats --elements 100, copy"
  })
  void shouldPrintALinePerSerializerAndTheBound(String words, String bound) throws Exception {
    List<JsonNode> lines =
        Outcome.of(HeapComparison.class, words + " --rounds 1 --json").lines("bench-heap");

    assertThat(lines.stream().map(line -> line.required("serializer").textValue()))
        .containsExactly("ringwire", "kryo", "kryo-unsafe", "fory", "java", bound);
  }

  @Test
  void shouldPrintALinePerWayFromProcessToProcess() throws Exception {
    List<JsonNode> lines =
        Outcome.of(EndToEnd.class, "--elements 1000 --rounds 1 --json")
            .lines("bench-heap-end-to-end");

    assertThat(lines.stream().map(line -> line.required("serializer").textValue()))
        .containsExactly("ringwire", "ringwire-whole", "kryo", "kryo-unsafe", "fory", "java");
  }

  /** Each copy is compared with its original. */
  @Test
  void shouldCopyClassesThatDidNotExistWhenItWasBuilt() throws Exception {
    int classes = Boolean.getBoolean("ringwire.nightly") ? 50 : 6;
    List<JsonNode> lines =
        Outcome.of(
                GeneratedRatios.class,
                "--generated " + classes + " --elements 10 --rounds 1 --json")
            .lines("bench-heap-generated");

    assertThat(lines.stream().map(line -> line.required("classes").intValue()))
        .containsExactly(classes / 2, classes / 2);
  }

  @Test
  void shouldGenerateAsManyClassesOfEachKind() throws Exception {
    Outcome outcome =
        Outcome.of(GeneratedRatios.class, "--generated 3 --elements 10 --rounds 1 --json");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.errors())
        .startsWith("ringwire bench heap: --generated must be even, half of each kind, not 3; see");
  }

  @Test
  @Tag("nightly")
  void shouldPrintALinePerSerializerOfNewJvms() throws Exception {
    List<JsonNode> lines =
        Outcome.of(ColdStart.class, "--elements 10 --rounds 1 --json").lines("bench-heap-cold");

    assertThat(lines.stream().map(line -> line.required("serializer").textValue()))
        .containsExactly("ringwire", "ringwire-memory", "kryo", "kryo-unsafe", "fory", "java");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--rounds 0", "--shape heap"})
  void shouldSayWhatIsWrongInOneLine(String words) throws Exception {
    Outcome outcome = Outcome.of(HeapComparison.class, words);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.errors().lines())
        .singleElement()
        .asString()
        .startsWith("ringwire bench heap: ")
        .endsWith("; see ./ringwire bench heap --help");
  }
}
