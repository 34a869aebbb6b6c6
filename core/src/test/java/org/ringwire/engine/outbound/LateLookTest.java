package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/**
 * To free memory while a thread is in it interrupts that thread, and throws there, perhaps later
 * and somewhere else. Interpreted, because there a thread can be found in the midst of a look.
 */
@ExtendWith(NodeWatcher.class)
class LateLookTest {

  @Test
  void shouldNotFreeTheMemoryOfARingThatSomebodyLooksInto() throws Exception {
    assertThat(JavaProgram.run(LateLooks.class, "-Xint"))
        .contains("rested interrupts=0 failures=[]");
  }

  @Test
  void shouldNotDisturbACommitAfterWhichTheMemoryWasFreed() throws Exception {
    assertThat(JavaProgram.run(LateCommits.class, "-Xint")).contains("interrupts=0 failures=[]");
  }
}
