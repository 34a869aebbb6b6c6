package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/** A stack that ends while bytes are moved from one buffer to another costs no buffer. */
@ExtendWith(NodeWatcher.class)
class NoStackTest {

  private static final ClassDesc SCENARIO = ClassDesc.of(NoStackScenario.class.getName());

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
    return MutantLoader.method(
        method,
        (code, element) -> {
          if (!(element instanceof ReturnInstruction)) {
            return false;
          }
          code.invokestatic(SCENARIO, "between", MethodTypeDesc.of(ConstantDescs.CD_void));
          code.with(element);
          return true;
        });
  }
}
