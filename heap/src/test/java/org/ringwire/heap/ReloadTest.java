package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.heap.OtherJvm.Outcome;
import org.ringwire.testing.NodeWatcher;

/** An application that is loaded again and again into a JVM that goes on. */
@ExtendWith(NodeWatcher.class)
class ReloadTest {

  @ParameterizedTest
  @CsvSource({
    "application, sameThread", // the library is not loaded again, and one thread sends in all lives
    "application, ownThread",
    "everything, ownThread",
    "everything, sameThread"
  })
  void shouldLetGoOfWhatAnApplicationHadLoaded(String reloaded, String thread) throws Exception {
    List<String> options =
        List.of(
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:SoftRefLRUPolicyMSPerMB=0"); // caches of the JDK

    Outcome outcome = OtherJvm.run(options, ReloadingProgram.class, reloaded, thread);

    assertThat(outcome.output()).isEqualToIgnoringNewLines("collected: 3 of 3");
    assertThat(outcome.status()).isZero();
  }
}
