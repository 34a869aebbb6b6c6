package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** Files that become shorter while they are used. */
@ExtendWith(NodeWatcher.class)
class LostMemoryTest {

  /** As compiled code is at times: without a place to be stopped before a lock is taken. */
  @Test
  void shouldLeaveNoLockOfAChannelBehind() throws Exception {
    assertThat(
            JavaProgram.run(
                LostMemoryProgram.class,
                "-Xbatch",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=dontinline,java.util.concurrent.locks.ReentrantLock::lock"))
        .contains("thrown in")
        .contains("closed true");
  }

  /** Who leads, and has what it has waited for, learns of it before it leaves the link. */
  @Test
  void shouldEndTheLinkOfWhoLeavesIt() throws Exception {
    assertThat(JavaProgram.run(LostLeadProgram.class, "-Xbatch"))
        .contains("led: true")
        .contains("ended by: [java.lang.InternalError");
  }
}
