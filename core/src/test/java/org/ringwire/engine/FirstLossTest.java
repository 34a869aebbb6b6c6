package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** What a node that has been at work has left to make when it loses a peer, and when it closes. */
@ExtendWith(NodeWatcher.class)
class FirstLossTest {

  /**
   * A lambda that finds no heap where it is evaluated first may be lost for as long as the process
   * lives: a node could not settle a connection any more then, and so have no other to that peer;
   * or not close. That is seen only where the heap ends at the very moment, so what is looked at is
   * whether there are any.
   */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "tls", "shm", "loopback"})
  void shouldEvaluateNoLambdaForTheFirstTime(String transport) throws Exception {
    List<String> lines =
        JavaProgram.run(
                LossProgram.class,
                "-Dtransport=" + transport,
                "-Xlog:class+load=info",
                "--enable-native-access=ALL-UNNAMED")
            .lines()
            .toList();
    int from = lines.indexOf("connected");
    int to = lines.indexOf("closed");
    assertThat(from).isNotNegative();
    assertThat(to).isGreaterThan(from);
    assertThat(lines.subList(0, from)).anyMatch(FirstLossTest::isOwnLambda); // the log shows them
    assertThat(lines.subList(from, to)).noneMatch(FirstLossTest::isOwnLambda);
  }

  private static boolean isOwnLambda(String line) {
    return line.contains("org.ringwire.") && line.contains("$$Lambda");
  }
}
