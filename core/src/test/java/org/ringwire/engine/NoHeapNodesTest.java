package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/**
 * Nodes that are opened and closed while there is no heap leave nothing behind, and a node that
 * they ask meanwhile can be asked again afterwards. Not over {@code shm}: the JDK (25.0.3) crashes
 * now and then where it accepts a Unix domain socket without heap ({@code UnixDomainSockets}).
 */
@ExtendWith(NodeWatcher.class)
@Tag("nightly")
class NoHeapNodesTest {

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "tls", "loopback"})
  void shouldLeaveNothingBehind(String transport) throws Exception {
    assertThat(JavaProgram.runWithLittleHeap(NoHeapNodesProgram.class, transport))
        .contains("before: true")
        .contains("after: true")
        .contains("left: [] 0")
        .contains("threads: []");
  }
}
