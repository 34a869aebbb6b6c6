package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/**
 * What a process without heap for a while costs its nodes: messages and links, and no thread that
 * others need.
 */
@ExtendWith(NodeWatcher.class)
class NoHeapTest {

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void shouldGoOnWhenThereIsHeapAgain(String transport) throws Exception {
    assertThat(JavaProgram.runWithLittleHeap(NoHeapProgram.class, transport))
        .contains("before: true")
        .contains("after: true")
        .doesNotContain("UncaughtExceptionHandler");
  }
}
