package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.channels.Selector;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/** A link that ends while there is no heap for what lingers of it, and a loop without any. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("cannot free what a link had")
class StarvedCloseTest {

  private static final ClassDesc NO_HEAP = ClassDesc.of(OutOfMemoryError.class.getName());

  @Test
  void shouldCloseTheChannelAtOnce() throws ReflectiveOperationException {
    MutantLoader starved =
        new MutantLoader(
            Map.of(
                LingeringClose.class.getName(),
                MutantLoader.method(
                    "start",
                    (code, element) -> {
                      if (!(element instanceof InvokeInstruction call)
                          || !call.name().equalsString("shutdownOutput")) {
                        return false;
                      }
                      code.pop()
                          .new_(NO_HEAP)
                          .dup()
                          .invokespecial(
                              NO_HEAP,
                              ConstantDescs.INIT_NAME,
                              MethodTypeDesc.of(ConstantDescs.CD_void))
                          .athrow();
                      return true;
                    })));
    assertThat(starved.run(CloseScenario.class)).isTrue();
  }

  /** The first that a process closes takes heap, before it gives up a descriptor. */
  @Test
  void shouldCloseTheSelectorOfALoopThatEnds() throws ReflectiveOperationException {
    ClassDesc selector = ClassDesc.of(Selector.class.getName());
    MutantLoader starved =
        new MutantLoader(
            Map.of(
                SelectorLoop.class.getName(),
                MutantLoader.method(
                    "tryCloseSelector",
                    (code, element) -> {
                      if (!(element instanceof InvokeInstruction call)
                          || !call.name().equalsString("close")) {
                        return false;
                      }
                      code.invokestatic(
                          ClassDesc.of(StarvedSelectorScenario.class.getName()),
                          "close",
                          MethodTypeDesc.of(ConstantDescs.CD_void, selector));
                      return true;
                    })));
    assertThat(starved.run(StarvedSelectorScenario.class)).isTrue();
  }
}
