package org.ringwire.engine.inbound.workers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.FullHeap;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** No work is lost, as nobody would come by it again: with it went all messages of its lane. */
@ExtendWith(NodeWatcher.class)
class WorkWithoutHeapTest {

  /** The first text that a thread tells of itself has to be made, too. */
  @Test
  void shouldGoOnWithWorkThatAThreadCouldNotBeginForWantOfHeap() throws Exception {
    assertThat(JavaProgram.run(NoHeapWorkProgram.class, FullHeap.OPTIONS.toArray(String[]::new)))
        .contains("was full: true", "done: true");
  }
}
