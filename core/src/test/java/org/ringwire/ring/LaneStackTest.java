package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/** Who reads a link may be a thread that waits for an answer, deep in its own calls. */
@ExtendWith(NodeWatcher.class)
class LaneStackTest {

  private static final ClassDesc SCENARIO = ClassDesc.of(LaneStackScenario.class.getName());

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
