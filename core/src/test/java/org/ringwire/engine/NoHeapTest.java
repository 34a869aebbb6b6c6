package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

  private static final List<String> USES =
      List.of("request", "long request", "inline request", "blocking request", "future", "message");

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "tls", "shm", "loopback"})
  void shouldGoOnWhenThereIsHeapAgain(String transport) throws Exception {
    String output = JavaProgram.runWithLittleHeap(NoHeapProgram.class, transport);
    for (String use : USES) {
      assertThat(output).contains(use + " before: true", use + " after: true");
    }
    assertThat(output)
        .contains("broken rules: 0", "corrupted: 0")
        .doesNotContain("hangs", "lost future")
        .doesNotContain("in thread \"ringwire");
  }
}
