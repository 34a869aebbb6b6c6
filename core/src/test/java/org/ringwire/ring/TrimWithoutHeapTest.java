package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.FullHeap;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** What a pool has in its hands while it looks what nobody has used. */
@ExtendWith(NodeWatcher.class)
class TrimWithoutHeapTest {

  @Test
  void shouldLoseNoBufferThoughThereIsNoHeapForTheFirstLook() throws Exception {
    assertThat(JavaProgram.run(FullHeapTrimProgram.class, FullHeap.OPTIONS.toArray(String[]::new)))
        .contains("lost: 0 lacking: false");
  }
}
