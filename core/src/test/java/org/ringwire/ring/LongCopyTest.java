package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/** What is long is copied in pieces. */
@ExtendWith(NodeWatcher.class)
class LongCopyTest {

  /** Else no other thread of the process comes past its next safepoint before the copy is over. */
  @Test
  void shouldComeToSafepointsWhileALongFrameIsCopied() throws ReflectiveOperationException {
    MutantLoader telling =
        new MutantLoader(
            Map.of(
                LongCopy.class.getName(),
                MutantLoader.method(
                    "copy",
                    (code, element) -> {
                      if (!(element instanceof InvokeInstruction call)
                          || !call.name().equalsString("copy")) {
                        return false;
                      }
                      code.dup2();
                      code.invokestatic(
                          ClassDesc.of(LongCopyScenario.class.getName()),
                          "copying",
                          MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long));
                      code.with(element);
                      return true;
                    })));
    assertThat(telling.run(LongCopyScenario.class)).isTrue();
  }
}
