package org.ringwire.engine.inbound;

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

/** What is left of a batch is done, whoever owns the worker by then. */
@ExtendWith(NodeWatcher.class)
class WorkerTest {

  @Test
  void shouldWakeWhoHasTakenThePlaceOfItsThread() throws ReflectiveOperationException {
    assertThat(
            new MutantLoader(
                    Map.of(
                        HandlerWorker.class.getName(),
                        MutantLoader.method("runWork", WorkerTest::pauseBeforeTheRest)))
                .run(WorkerScenario.class))
        .isTrue();
  }

  private static boolean pauseBeforeTheRest(CodeBuilder code, CodeElement element) {
    if (!(element instanceof InvokeInstruction call)
        || !(call.name().equalsString("submit") || call.name().equalsString("add"))) {
      return false;
    }
    code.invokestatic(
        ClassDesc.of(WorkerScenario.class.getName()),
        "between",
        MethodTypeDesc.of(ConstantDescs.CD_void));
    code.with(element);
    return true;
  }
}
