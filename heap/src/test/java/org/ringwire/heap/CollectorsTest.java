package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringwire.testing.NodeWatcher;

/** Every collector, length of references and form of headers, and any of them with any other. */
@ExtendWith(NodeWatcher.class)
class CollectorsTest {
  private static final List<String> COLLECTORS =
      List.of("Serial", "Parallel", "G1", "Shenandoah", "Z");

  @TempDir Path folder;

  private record Outcome(int status, String output) {}

  private static Outcome run(List<String> options, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(), MatrixProgram.class.getName()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Outcome(process.waitFor(), output);
    } finally {
      process.destroyForcibly();
    }
  }

  /** What this JVM has, by class path or module path, and the tests, which patch a module. */
  private static String classPath() {
    List<String> parts = new ArrayList<>();
    for (String property : List.of("jdk.module.path", "java.class.path")) {
      parts.add(System.getProperty(property, ""));
    }
    Path classes =
        Path.of(
            java.net.URI.create(
                HeapCodec.class.getProtectionDomain().getCodeSource().getLocation().toString()));
    parts.add(classes.toString());
    parts.add(classes.resolveSibling("test-classes").toString());
    return String.join(java.io.File.pathSeparator, parts);
  }

  private static List<String> options(String collector, boolean compressed, boolean compact) {
    List<String> options = new ArrayList<>();
    options.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    options.add("-XX:+Use" + collector + "GC");
    if (!collector.equals("Z")) {
      options.add("-XX:" + (compressed ? '+' : '-') + "UseCompressedOops");
    }
    options.add("-XX:" + (compact ? '+' : '-') + "UseCompactObjectHeaders");
    return options;
  }

  static Stream<List<String>> all() {
    return COLLECTORS.stream()
        .flatMap(c ->
            Stream.of(
                options(c, true, false),
                options(c, true, true),
                options(c, false, false),
                options(c, false, true)));
  }

  static Stream<List<String>> some() {
    return Stream.of(options("Z", false, true), options("Shenandoah", false, false));
  }

  private void assertWorks(List<String> options, String seconds, String... files) throws Exception {
    Outcome outcome = run(options, seconds, files[0], files[1]);
    assertThat(outcome.output()).as("%s", options).contains("OK");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void shouldUnderstandOtherKindsOfHeap() throws Exception {
    String file = folder.resolve("images").toString();
    List<List<String>> chain = some().toList();
    assertWorks(chain.get(0), "0", "-", file);
    assertWorks(chain.get(1), "0", file, "-");
  }

  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("all")
  void shouldWorkWithEveryKindOfHeap(List<String> options) throws Exception {
    String file = folder.resolve("images").toString();
    List<String> verifying = new ArrayList<>(options);
    verifying.addAll(
        List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC"));
    assertWorks(options("Serial", true, false), "0", "-", file);
    assertWorks(
        options.contains("-XX:+UseZGC") || options.contains("-XX:+UseShenandoahGC")
            ? options
            : verifying,
        "20",
        file,
        file + 2);
    assertWorks(options("G1", false, true), "0", file + 2, "-");
  }

  @Tag("nightly")
  @Test
  void shouldCopyAListOfTenMillionNodes() throws Exception {
    List<String> options = new ArrayList<>(options("Parallel", true, false));
    options.add("-Xmx3g");

    Outcome outcome = run(options, "0", "-", "-", "10000000");

    assertThat(outcome.output()).contains("OK");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void shouldPrintTheFlagThatIsMissing() throws Exception {
    Outcome outcome = run(List.of(), "0", "-", "-");

    assertThat(outcome.status()).isNotZero();
    assertThat(outcome.output())
        .contains("--add-exports java.base/jdk.internal.misc=ALL-UNNAMED")
        .contains("IllegalStateException");
  }
}
