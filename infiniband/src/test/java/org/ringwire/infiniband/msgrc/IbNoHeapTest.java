package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.infiniband.msgrc.IbNodes.Program;
import org.ringwire.testing.NodeWatcher;

/**
 * What a process without heap for a while costs its transports over InfiniBand: links, and no
 * thread that others need.
 */
@Tag("rdma")
@ExtendWith(NodeWatcher.class)
class IbNoHeapTest {

  private final IbNodes nodes = new IbNodes();

  @AfterEach
  void closeEverything() throws Exception {
    nodes.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"msgrc", "msgud"})
  void shouldGoOnWhenThereIsHeapAgain(String engine) throws Exception {
    Program program =
        nodes.start(
            List.of(), List.of("-Xmx40m", "-Dringwire.ib.engine=" + engine), IbNoHeapProgram.class);
    assertThat(program.line()).isEqualTo("before: true");
    assertThat(program.line()).isEqualTo("after: true");
    assertThat(program.line()).isEqualTo("left: 0");
    assertThat(program.status()).isZero();
  }
}
