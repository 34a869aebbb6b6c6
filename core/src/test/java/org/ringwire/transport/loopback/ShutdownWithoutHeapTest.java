package org.ringwire.transport.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.FullHeap;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** The end of a transport's thread asks for no heap: it would stay behind. */
@ExtendWith(NodeWatcher.class)
class ShutdownWithoutHeapTest {

  @Test
  void shouldEndTheThread() throws Exception {
    assertThat(
            JavaProgram.run(FullHeapShutdownProgram.class, FullHeap.OPTIONS.toArray(String[]::new)))
        .contains("ended: true lacking: false");
  }
}
