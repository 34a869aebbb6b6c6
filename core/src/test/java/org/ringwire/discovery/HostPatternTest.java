package org.ringwire.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class HostPatternTest {

  @Test
  void shouldPutTheIdIn() {
    assertThat(DnsDirectory.hosts("node-{id}.example.org:7000").address(12))
        .isEqualTo("node-12.example.org:7000");
    assertThat(DnsDirectory.hosts("{id}").address(0)).isEqualTo("0");
    for (String pattern : List.of("", "node", "{id}-{id}", "{ID}")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DnsDirectory.hosts(pattern))
          .withMessageContaining("{id} once");
    }
  }

  @Test
  void shouldFindTheIdOfWholeLabels() {
    HostPattern pattern = new HostPattern("Node-{id}");
    assertThat(pattern.idIn("node-7")).isEqualTo(7);
    assertThat(pattern.idIn("NODE-0.example.org")).isZero();
    assertThat(pattern.idIn("node-65535.a")).isEqualTo(65_535);
    for (String other :
        List.of(
            "",
            "node-",
            "node-x",
            "node-7x",
            "node-07",
            "node-65536",
            "node-111111",
            "n-7",
            "node-7-8",
            "anode-7")) {
      assertThat(pattern.idIn(other)).as(other).isEqualTo(-1);
    }
    HostPattern inside = new HostPattern("n{id}.rack.example");
    assertThat(inside.idIn("n3.rack.example.org")).isEqualTo(3);
    assertThat(inside.idIn("n3.rack.examples.org")).isEqualTo(-1);
  }
}
