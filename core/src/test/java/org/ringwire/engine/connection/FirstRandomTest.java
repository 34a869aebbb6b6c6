package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/**
 * The JDK's random numbers take ten seconds and more, the first time, where there is no {@code
 * /dev/random}: no thread that reads from the network, or watches times, may wait for that.
 */
@ExtendWith(NodeWatcher.class)
class FirstRandomTest {

  @Test
  void shouldConnectWithoutThemWhereNothingIsProved() throws Exception {
    assertThat(JavaProgram.run(FirstRandomProgram.class)).contains("7 nobody");
  }

  @Test
  void shouldWaitForThemWhereTheNodeIsOpenedThatProvesItsSecret() throws Exception {
    assertThat(JavaProgram.run(FirstRandomProgram.class, "-Dsecret=sixteen-and-some-more"))
        .contains("7 main");
  }
}
