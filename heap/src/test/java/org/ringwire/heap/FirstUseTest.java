package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.heap.OtherJvm.Outcome;
import org.ringwire.testing.InitialisedClasses;
import org.ringwire.testing.NodeWatcher;

/** What is left to initialise when a node has channels, or a type of messages that are graphs. */
@ExtendWith(NodeWatcher.class)
class FirstUseTest {

  /**
   * A class that is initialised for the first time while there is no heap is lost for ever; but for
   * one that is made anew then, which is hidden.
   */
  @ParameterizedTest
  @ValueSource(strings = {"channels", "carried", "messages"})
  void shouldInitialiseNoClassOfItsOwnForTheFirstGraph(String way) throws Exception {
    List<String> options = new ArrayList<>(OtherJvm.options("Serial", true, false));
    options.add("-Xlog:class+init=info");

    Outcome outcome = OtherJvm.run(options, FirstUseProgram.class, way);

    assertThat(InitialisedClasses.between("opened", "closed", outcome.output()))
        .filteredOn(name -> name.startsWith("org/ringwire/heap/") && !name.contains("+0x"))
        .isEmpty();
  }
}
