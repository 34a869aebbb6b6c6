package org.ringwire.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.ring.Lane;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.providers.TransportProviders;

/** A lane has one consumer at a time, also where it is handed from one to another. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("as if there was no heap")
class HandOnTest {

  private static final ClassDesc SCENARIO = ClassDesc.of(LaneScenario.class.getName());

  static boolean run(
      Class<?> changed,
      String method,
      MutantLoader.Mutation pause,
      Class<? extends LaneScenario> scenario)
      throws ReflectiveOperationException {
    return new MutantLoader(
            Map.of(
                changed.getName(),
                MutantLoader.method(method, pause),
                TransportProviders.class.getName(), // the loader of services knows the originals
                MutantLoader.method("find", HandOnTest::findNone)))
        .run(scenario);
  }

  @Test
  void shouldLeaveTheLaneToItsNewConsumer() throws ReflectiveOperationException {
    assertThat(run(LaneTask.class, "handled", HandOnTest::pauseAfterReturn, HandOnScenario.class))
        .isTrue();
  }

  @Test
  void shouldGoOnWithTheLaneOnceItsFrameIsReleased() throws ReflectiveOperationException {
    assertThat(run(LaneTask.class, "startBlocking", before("release"), ResumeScenario.class))
        .isTrue();
  }

  @Test
  void shouldGoOnWithTheLaneThoughThereIsNoHeapForAHandler() throws ReflectiveOperationException {
    assertThat(run(Waits.class, "run", before("run"), NoHeapScenario.class)).isTrue();
  }

  @Test
  void shouldTouchNothingOfALaneThatWasSaidToBeEmpty() throws ReflectiveOperationException {
    assertThat(run(Lane.class, "settle", HandOnTest::pauseAfterCount, SettleScenario.class))
        .isTrue();
  }

  private static boolean pauseAfterCount(CodeBuilder code, CodeElement element) {
    if (!(element instanceof InvokeInstruction call) || !call.name().equalsString("getAndAdd")) {
      return false;
    }
    code.with(element);
    code.invokestatic(SCENARIO, "between", MethodTypeDesc.of(ConstantDescs.CD_void));
    return true;
  }

  static MutantLoader.Mutation before(String called) {
    return (code, element) -> {
      if (!isCallOf(called, element)) {
        return false;
      }
      code.invokestatic(SCENARIO, "between", MethodTypeDesc.of(ConstantDescs.CD_void));
      code.with(element);
      return true;
    };
  }

  /** Of the method, or what makes a lambda for one. */
  private static boolean isCallOf(String called, CodeElement element) {
    return switch (element) {
      case InvokeInstruction call -> call.name().equalsString(called);
      case InvokeDynamicInstruction lambda -> lambda.name().equalsString(called);
      default -> false;
    };
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
