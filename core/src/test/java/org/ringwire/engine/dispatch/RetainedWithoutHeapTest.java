package org.ringwire.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** A message that its handler has retained is given back once, also if there was no heap. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"as if there was no heap", "as if the handler failed"})
class RetainedWithoutHeapTest {

  @ParameterizedTest
  @CsvSource({
    "org.ringwire.engine.inbound.Delivery, failed, report",
    "org.ringwire.engine.inbound.RetainedMessageExchange, failUnanswered, fail",
  })
  void shouldCountOnceWhenItIsClosed(String type, String method, String before) throws Exception {
    assertThat(
            HandOnTest.run(
                Class.forName(type), method, HandOnTest.before(before), RetainedScenario.class))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "org.ringwire.engine.inbound.RetainedMessageExchange, <init>, <init>",
    "org.ringwire.engine.dispatch.LaneTask$Handling, retainMemory, run",
  })
  void shouldBeOverAsOthersIfThereIsNoHeapToRetainIt(String type, String method, String before)
      throws Exception {
    assertThat(
            HandOnTest.run(
                Class.forName(type), method, HandOnTest.before(before), RetainScenario.class))
        .isTrue();
  }
}
