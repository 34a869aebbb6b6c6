package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/**
 * What a process without heap for a while costs its nodes: messages and links, and no thread that
 * others need.
 */
@ExtendWith(NodeWatcher.class)
class NoHeapTest {

  @RepeatedTest(2)
  void shouldGoOnWhenThereIsHeapAgain() throws Exception {
    assertThat(
            JavaProgram.run(
                NoHeapProgram.class,
                "-Xmx48m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED"))
        .contains("before: true")
        .contains("after: true")
        .doesNotContain("UncaughtExceptionHandler");
  }
}
