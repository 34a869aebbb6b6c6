package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassTransform;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/** A stack that ends while bytes are moved from one buffer to another costs no buffer. */
@ExtendWith(NodeWatcher.class)
class NoStackTest {

  @Test
  void shouldGiveEveryBufferBackOnceWhereverTheStackEnds() throws ReflectiveOperationException {
    MutantLoader ending =
        new MutantLoader(
            Map.of(
                ReceiveBuffer.class.getName(),
                endingAtTheEndOf("segment").andThen(endingAtTheEndOf("release")),
                OutboundStream.class.getName(),
                endingAtTheEndOf("put")));
    assertThat(ending.run(NoStackScenario.class)).isTrue();
  }

  private static ClassTransform endingAtTheEndOf(String method) {
    return MutantLoader.callBeforeReturns(method, NoStackScenario.class, "between");
  }
}
