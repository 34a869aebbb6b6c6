package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.ringwire.heap.OtherJvm.Outcome;
import org.ringwire.testing.NodeWatcher;

/** Every collector, length of references and form of headers, and any of them with any other. */
@ExtendWith(NodeWatcher.class)
class CollectorsTest {
  @TempDir Path folder;

  static Stream<List<String>> all() {
    return OtherJvm.COLLECTORS.stream()
        .flatMap(c ->
            Stream.of(
                OtherJvm.verifying(c, true, false),
                OtherJvm.verifying(c, true, true),
                OtherJvm.verifying(c, false, false),
                OtherJvm.verifying(c, false, true)))
        .distinct();
  }

  static Stream<List<String>> some() {
    return Stream.of(
        OtherJvm.options("Z", false, true), OtherJvm.options("Shenandoah", false, false));
  }

  private void assertWorks(List<String> options, String seconds, String... files) throws Exception {
    Outcome outcome = OtherJvm.run(options, MatrixProgram.class, seconds, files[0], files[1]);
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
    assertWorks(OtherJvm.options("Serial", true, false), "0", "-", file);
    assertWorks(options, "20", file, file + 2);
    assertWorks(OtherJvm.options("G1", false, true), "0", file + 2, "-");
  }

  @Tag("nightly")
  @Test
  void shouldCopyAListOfTenMillionNodes() throws Exception {
    List<String> options = new ArrayList<>(OtherJvm.options("Parallel", true, false));
    options.add("-Xmx3g");

    Outcome outcome = OtherJvm.run(options, MatrixProgram.class, "0", "-", "-", "10000000");

    assertThat(outcome.output()).contains("OK");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void shouldPrintTheFlagThatIsMissing() throws Exception {
    Outcome outcome = OtherJvm.run(List.of(), MatrixProgram.class, "0", "-", "-");

    assertThat(outcome.status()).isNotZero();
    assertThat(outcome.output())
        .contains("--add-exports java.base/jdk.internal.misc=ALL-UNNAMED")
        .contains("IllegalStateException");
  }
}
