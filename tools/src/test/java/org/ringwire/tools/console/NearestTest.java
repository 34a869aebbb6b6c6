package org.ringwire.tools.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NearestTest {

  @Test
  void shouldFindWhatWasMeant() {
    List<String> commands = List.of("bench", "demo", "doctor", "node", "ping");

    assertThat(Nearest.of("benhc", commands)).hasValue("bench");
    assertThat(Nearest.of("nod", commands)).hasValue("node");
    assertThat(Nearest.of("pong", commands)).hasValue("ping");
  }

  @Test
  void shouldNotGuessWhatIsNotNear() {
    assertThat(Nearest.of("foo", List.of("node", "top"))).isEmpty();
    assertThat(Nearest.of("foo", List.of())).isEmpty();
  }

  @Test
  void shouldCountInsertionsRemovalsAndReplacements() {
    assertThat(Nearest.distance("", "abc")).isEqualTo(3);
    assertThat(Nearest.distance("abc", "")).isEqualTo(3);
    assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(Nearest.distance("node", "node")).isZero();
  }
}
