package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/**
 * From {@code send} and {@code request} to the handler, and back with the response, nothing is
 * allocated per message whose codec reuses its instances. Nor does that depend on a compiler which
 * sees that an object is never kept: the one of these processes does not look for it.
 */
@ExtendWith(NodeWatcher.class)
class RequestAllocationTest {

  /** What an object of a message's way has at least; timers allocate some bytes as well. */
  private static final int OBJECT = 32;

  @ParameterizedTest
  @CsvSource({"tcp, INLINE", "tcp, POOLED", "shm, INLINE", "loopback, INLINE", "loopback, POOLED"})
  void shouldAllocateNothingPerMessageWhateverTheCompilerSees(String transport, String mode)
      throws Exception {
    String output =
        JavaProgram.run(
            AllocationProgram.class,
            "-Dtransport=" + transport,
            "-Dmode=" + mode,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED");
    assertThat(bytes("message", output)).as(output).isLessThan(OBJECT);
    assertThat(bytes("request", output)).as(output).isLessThan(OBJECT);
  }

  private static long bytes(String what, String output) {
    Matcher line = Pattern.compile(what + ": (\\d+)").matcher(output);
    assertThat(line.find()).as(output).isTrue();
    return Long.parseLong(line.group(1));
  }
}
