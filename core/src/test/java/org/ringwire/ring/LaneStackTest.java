package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassTransform;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/** Who reads a link may be a thread that waits for an answer, deep in its own calls. */
@ExtendWith(NodeWatcher.class)
class LaneStackTest {

  /** Else a thread of the pool would look for what is never there, for ever. */
  @Test
  void shouldComeToItsEndThoughTheStackOfItsProducerHas() throws ReflectiveOperationException {
    MutantLoader ending =
        new MutantLoader(
            Map.of(
                Lane.class.getName(),
                endingAtTheEndOf("reserve"),
                ReceiveBuffer.class.getName(),
                endingAtTheEndOf("startChunk").andThen(endingAtTheEndOf("written"))));
    assertThat(ending.run(LaneStackScenario.class)).isTrue();
  }

  private static ClassTransform endingAtTheEndOf(String method) {
    return MutantLoader.callBeforeReturns(method, LaneStackScenario.class, "between");
  }
}
