package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/**
 * What transports promise, where they have one core: threads then offer it before they park ({@link
 * org.ringwire.idle.WaitingPlace}).
 */
@ExtendWith(NodeWatcher.class)
class OneCoreTest {

  @Test
  @Timeout(900) // all of five classes
  void shouldKeepWhatTransportsPromiseOnOneCore() throws Exception {
    String text =
        JavaProgram.run(
            OneCoreProgram.class,
            "-XX:ActiveProcessorCount=1",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "-Dringwire.nightly=" + Boolean.getBoolean("ringwire.nightly"));
    List<String> words = List.of(text.strip().lines().toList().getLast().split(" of ", -1));
    assertThat(words).as(text).hasSize(2);
    assertThat(Integer.parseInt(words.getFirst())).as(text).isGreaterThan(40);
    assertThat(words.getFirst()).as(text).isEqualTo(words.getLast());
  }
}
