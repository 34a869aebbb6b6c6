package org.ringwire.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.benchmarks.ring.CatchUpBenchmark;

/** Words that the scripts of this folder do not take, which they say before they measure. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "they are shell scripts")
class ScriptsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "profiles x",
        "profiles ",
        "profiles 0",
        "profiles -1",
        "profiles 1.2.3",
        "profiles --help",
        "profiles 1 target/classes more",
        "profiles 1 ",
        "profiles 1 pom.xml",
        "profiles 1 pom.xml/folder",
        "sizes x",
        "sizes ",
        "sizes 0",
        "sizes -1",
        "sizes 1 x",
        "sizes 1 ",
        "sizes 1 -1",
        "sizes 1 1 1"
      })
  void shouldSayWhatIsWrongInOneLine(String words) throws Exception {
    List<String> command = new ArrayList<>(List.of("/bin/sh"));
    command.addAll(List.of(words.split(" ", -1)));
    Process process = new ProcessBuilder(command).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(output).isEmpty();
      assertThat(errors.lines())
          .singleElement()
          .asString()
          .startsWith(words.substring(0, words.indexOf(' ')) + ": ");
      assertThat(process.waitFor()).isEqualTo(2);
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "0", "-1", "1.5", "", "1 2", "2147483648", "--help"})
  void shouldTakeOneNumberOfProducers(String words) throws Exception {
    Outcome outcome = Outcome.of(CatchUpBenchmark.class, words);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.errors().lines()).singleElement().asString().startsWith("figure14: takes ");
  }
}
