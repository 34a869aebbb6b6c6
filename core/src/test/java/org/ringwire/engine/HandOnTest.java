package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.support.TransportProviders;

/** A lane has one consumer at a time, also at the moment when one that has waited is done. */
@ExtendWith(NodeWatcher.class)
class HandOnTest {

  private static final ClassDesc SCENARIO = ClassDesc.of(HandOnScenario.class.getName());

  @Test
  void shouldLeaveTheLaneToItsNewConsumer() throws ReflectiveOperationException {
    MutantLoader paused =
        new MutantLoader(
            Map.of(
                LaneTask.class.getName(),
                MutantLoader.method("handled", HandOnTest::pauseAfterReturn),
                TransportProviders.class.getName(), // the loader of services knows the originals
                MutantLoader.method("find", HandOnTest::findNone)));
    assertThat(paused.run(HandOnScenario.class)).isTrue();
  }

  private static boolean pauseAfterReturn(CodeBuilder code, CodeElement element) {
    if (!(element instanceof FieldInstruction field)
        || field.opcode() != Opcode.PUTFIELD
        || !field.name().equalsString("returned")) {
      return false;
    }
    code.with(element);
    code.invokestatic(SCENARIO, "between", MethodTypeDesc.of(ConstantDescs.CD_void));
    return true;
  }

  private static boolean findNone(CodeBuilder code, CodeElement element) {
    if (element instanceof ReturnInstruction) {
      code.aconst_null().areturn();
    }
    return true;
  }
}
