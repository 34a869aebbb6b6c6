package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/**
 * What a process without heap for a while costs its transports: links, and neither a thread that
 * others need, nor who listens, nor memory. Not over {@code shm}, see {@code NoHeapNodesTest}.
 */
@ExtendWith(NodeWatcher.class)
@Tag("nightly")
class NoHeapVisitsTest {

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "loopback"})
  void shouldGoOnWhenThereIsHeapAgain(String transport) throws Exception {
    assertThat(JavaProgram.runWithLittleHeap(NoHeapVisitsProgram.class, transport))
        .contains("before: true")
        .contains("after: true")
        .contains("left: []");
  }
}
