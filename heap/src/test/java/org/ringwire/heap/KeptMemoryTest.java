package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.heap.OtherJvm.Outcome;
import org.ringwire.testing.NodeWatcher;

/** What a codec keeps of the memory that large graphs needed has a bound, on any threads. */
@ExtendWith(NodeWatcher.class)
class KeptMemoryTest {

  @ParameterizedTest
  @CsvSource({"copy, 7", "copy, 30", "refuse, 1", "measure, 30"})
  void shouldKeepLittleOfTheMemoryForLargeImages(String what, String mebibytes) throws Exception {
    List<String> options = new ArrayList<>(OtherJvm.options("Serial", true, false));
    options.add("-XX:MaxDirectMemorySize=256m");

    Outcome outcome = OtherJvm.run(options, LargeImagesProgram.class, what, mebibytes);

    assertThat(outcome.output()).contains("OK");
    assertThat(outcome.status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"from", "carried", "to"})
  void shouldKeepLittleOfTheMemoryForGraphsHoweverManySendOrReadThem(String direction)
      throws Exception {
    List<String> options = new ArrayList<>(OtherJvm.options("Serial", true, false));
    options.add(ManySendersProgram.LIMIT);

    Outcome outcome = OtherJvm.run(options, ManySendersProgram.class, direction);

    assertThat(outcome.output()).contains("OK");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void shouldKeepLittleOfTheMemoryForTheObjectsOfGraphsHoweverManySendThem() throws Exception {
    List<String> options = new ArrayList<>(OtherJvm.options("Serial", false, false));
    options.add("-Xmx768m");

    Outcome outcome = OtherJvm.run(options, ManySendersProgram.class, "objects");

    assertThat(outcome.output()).contains("OK");
    assertThat(outcome.status()).isZero();
  }
}
