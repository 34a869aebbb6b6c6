package org.ringwire.tools.bench.pair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringwire.EndReason;
import org.ringwire.LossReport;

class BrokenConnectionsTest {

  private final BrokenConnections broken = new BrokenConnections();
  private final List<String> told = new ArrayList<>();

  @Test
  void shouldTellOnceWhyMessagesAreMissing() {
    broken.lost(new LossReport(2, EndReason.NO_SIGN_OF_LIFE, "no sign of life", 10, 5, 3, 2));
    broken.tell(told::add);
    broken.tell(told::add);
    assertThat(told)
        .containsExactly(
            "the connection to node 2 broke: no sign of life: 3 messages lost, 2 uncertain");
  }

  @Test
  void shouldTellOfAConnectionThatBrokeThoughNothingIsMissing() {
    broken.lost(new LossReport(2, EndReason.LINK_LOST, "reset", 10, 10, 0, 0));
    broken.tell(told::add);
    assertThat(told).singleElement().asString().contains("reset", "0 messages lost");
  }

  @Test
  void shouldKeepQuietAboutOneThatEndsInGoodOrder() {
    broken.lost(new LossReport(2, EndReason.PEER_CLOSED, "closed", 10, 10, 0, 0));
    broken.tell(told::add);
    assertThat(told).isEmpty();
  }
}
