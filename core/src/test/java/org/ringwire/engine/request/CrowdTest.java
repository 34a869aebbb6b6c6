package org.ringwire.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** How many threads that wait are many. */
@ExtendWith(NodeWatcher.class)
class CrowdTest {

  private final Crowd crowd = new Crowd();

  @Test
  void shouldBeCrowdedWhileManyWait() {
    for (int thread = 0; thread < Crowd.FEW; thread++) {
      crowd.enter();
    }
    assertThat(crowd.isCrowded()).isFalse();
    crowd.enter();
    assertThat(crowd.isCrowded()).isTrue();
    crowd.leave();
    assertThat(crowd.isCrowded()).isFalse();
  }
}
