package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/** A HELLO takes the place of the link alone that was there when its own had not ended yet. */
@ExtendWith(NodeWatcher.class)
class LateReplacementTest {

  private static final ClassDesc SCENARIO = ClassDesc.of(LateReplacementScenario.class.getName());

  @Test
  void shouldNotReplaceALinkThatCameWhenItsOwnHadJustEnded() throws ReflectiveOperationException {
    MutantLoader stopping =
        new MutantLoader(
            Map.of(
                Admissions.class.getName(),
                MutantLoader.method("admit", LateReplacementTest::stopAfterTheLook)));
    assertThat(stopping.run(LateReplacementScenario.class)).isTrue();
  }

  private static boolean stopAfterTheLook(CodeBuilder code, CodeElement element) {
    if (!(element instanceof InvokeInstruction call)
        || !call.name().equalsString("peerIncarnation")) {
      return false;
    }
    code.invokestatic(SCENARIO, "between", MethodTypeDesc.of(ConstantDescs.CD_void));
    code.with(element);
    return true;
  }
}
