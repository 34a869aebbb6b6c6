package org.ringwire.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** The end of a connection reaches everybody, also if there was no heap for a step of it. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("as if there was no heap")
class EndWithoutHeapTest {

  @ParameterizedTest
  @CsvSource({
    "org.ringwire.engine.services.NodeTable, remove, compareAndSet",
    "org.ringwire.engine.connection.Connections, remove, decided",
    "org.ringwire.engine.connection.link.SessionEnd, begin, because",
    "org.ringwire.engine.request.PendingRequests, endAll, get",
    "org.ringwire.engine.connection.Connections, tell, ended",
    "org.ringwire.engine.services.PeerEvents, goOn, accept",
  })
  void shouldBeToldToAllTheSame(String type, String method, String before) throws Exception {
    assertThat(
            HandOnTest.run(
                Class.forName(type), method, HandOnTest.before(before), EndScenario.class))
        .isTrue();
  }
}
