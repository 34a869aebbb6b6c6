package org.ringwire.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.benchmarks.compare.CompareMain;
import org.ringwire.benchmarks.reference.ReferenceMain;

/** What the programs behind {@code ./ringwire bench} have in common. */
class ProgramsTest {

  @ParameterizedTest
  @ValueSource(strings = {"reference.ReferenceMain", "compare.CompareMain", "verbs.VerbsMain"})
  void shouldBeCalledAsPeopleCallThem(String name) throws Exception {
    Class<?> main = Class.forName("org.ringwire.benchmarks." + name);
    String command = name.substring(0, name.indexOf('.'));

    assertThat(Outcome.of(main, "--help").output())
        .startsWith("Usage: ringwire bench " + command + " ");
  }

  @ParameterizedTest
  @CsvSource({
    "codec.CodecComparison, --rounds x, ringwire bench codec: ",
    "heap.ColdStart, --rounds x, ringwire bench heap: ",
    "reference.ReferenceMain, --rounds x, ringwire bench reference: ",
    "reference.ReferenceMain, list x, ringwire bench reference: ",
    "compare.CompareMain, --rounds x, ringwire bench compare: ",
    "verbs.VerbsMain, --rounds x, ringwire bench verbs: ",
    "verbs.VerbsMain, --rounds 0, ringwire bench verbs: ",
    "verbs.VerbsMain, '--sizes=1,', ringwire bench verbs: --sizes takes values with commas",
    "compare.CompareMain, '--threads=1,', ringwire bench compare: --threads takes values with",
    "compare.CompareMain, --html=, ringwire bench compare: --html takes a path",
    "reference.ReferenceMain, --payload x, ringwire bench reference: --payload takes a whole",
    "targets.TargetsMain, --rounds x, targets: --rounds takes a whole number"
  })
  void shouldNameTheCommandThatHasFailed(String name, String words, String prefix)
      throws Exception {
    Outcome outcome = Outcome.of(Class.forName("org.ringwire.benchmarks." + name), words);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.errors().lines()).hasSize(1).first().asString().startsWith(prefix);
  }

  @ParameterizedTest
  @CsvSource({
    "heap.ColdStart, --child none",
    "reference.ReferenceMain, --system reference --benchmark stream --role sender --folder none"
  })
  void shouldSayInOneLineWhatItHasFailedWith(String name, String words) throws Exception {
    Outcome outcome = Outcome.of(Class.forName("org.ringwire.benchmarks." + name), words);

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.errors().lines()).singleElement().asString().startsWith("ringwire bench ");
  }

  @Test
  void shouldSayInOneLineWhatCouldNotBeLoaded() throws Exception {
    List<String> classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(each -> !each.contains("netty"))
            .toList();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                String.join(File.pathSeparator, classPath),
                ReferenceMain.class.getName(),
                "--system=netty-nio",
                "--benchmark=stream")
            .start();
    try {
      String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(errors.lines())
          .singleElement()
          .asString()
          .startsWith("ringwire bench reference: NoClassDefFoundError: io/netty/");
      assertThat(process.waitFor()).isEqualTo(2);
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "codec.CodecComparison, --rounds 2 --json",
    "heap.HeapComparison, --rounds 2 --elements 10 --json"
  })
  void shouldSayHowFarItIs(String name, String words) throws Exception {
    requireRounds(name, words);
  }

  @Test
  @Tag("nightly")
  void shouldSayHowFarColdStartsAre() throws Exception {
    requireRounds("heap.ColdStart", "--rounds 2 --elements 10 --json");
  }

  private static void requireRounds(String name, String words) throws Exception {
    Outcome outcome = Outcome.of(Class.forName("org.ringwire.benchmarks." + name), words);

    assertThat(outcome.status()).as(outcome.errors()).isZero();
    assertThat(outcome.errors()).contains("round 1 of 2", "round 2 of 2");
    assertThat(outcome.output()).doesNotContain("round 1 of 2");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldFailWhenTheOutputCannotBeWritten() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CompareMain.class.getName(),
                "--list")
            .redirectOutput(new File("/dev/full"))
            .start();
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("end").isTrue();
      String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(errors)
          .isEqualTo(
              "ringwire bench compare: standard output cannot be written: No space left on"
                  + " device\n");
      assertThat(process.exitValue()).isEqualTo(2);
    } finally {
      process.destroyForcibly();
    }
  }
}
