package org.ringwire.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.testing.NodeWatcher;

/** A long frame that could not be asked for, as there was no heap, is asked for later. */
@ExtendWith(NodeWatcher.class)
class GrantsWithoutHeapTest {

  @ParameterizedTest
  @CsvSource({
    "org.ringwire.engine.inbound.GrantBudget, request, add",
    "org.ringwire.engine.inbound.InboundGrants, use, add",
  })
  void shouldLoseNeitherAnAnnouncementNorAGrant(String type, String method, String before)
      throws Exception {
    assertThat(
            HandOnTest.run(
                Class.forName(type), method, HandOnTest.before(before), GrantsScenario.class))
        .isTrue();
  }
}
