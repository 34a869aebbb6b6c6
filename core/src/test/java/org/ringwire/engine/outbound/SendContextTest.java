package org.ringwire.engine.outbound;

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

/** What a thread puts off while it handles a batch of messages. */
@ExtendWith(NodeWatcher.class)
class SendContextTest {

  private static final ClassDesc SCENARIO = ClassDesc.of(DeferScenario.class.getName());

  @Test
  void shouldDrainAtOnceWhatThereIsNoHeapToPutOff() throws ReflectiveOperationException {
    MutantLoader starved =
        new MutantLoader(
            Map.of(
                SendContext.class.getName(),
                MutantLoader.method(
                    "tryGrow",
                    (code, element) -> {
                      if (!(element instanceof InvokeInstruction call)
                          || !call.name().equalsString("copyOf")) {
                        return false;
                      }
                      code.invokestatic(
                          SCENARIO, "between", MethodTypeDesc.of(ConstantDescs.CD_void));
                      code.with(element);
                      return true;
                    })));
    assertThat(starved.run(DeferScenario.class)).isTrue();
  }
}
