package org.ringwire.engine.inbound.workers;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/** What a worker is given is done, whoever owns it by then. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("as if there was no memory")
class WorkerTest {

  @Test
  void shouldWakeWhoHasTakenThePlaceOfItsThread() throws ReflectiveOperationException {
    assertThat(
            new MutantLoader(
                    Map.of(
                        HandlerWorker.class.getName(),
                        MutantLoader.method("goOn", WorkerTest::pauseBeforeTheRest)))
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

  @Test
  void shouldGoOnThoughThereIsNoMemoryForAThreadInPlaceOfOneThatGoesOn()
      throws ReflectiveOperationException {
    assertThat(
            new MutantLoader(
                    Map.of(
                        HandlerWorker.class.getName(),
                        MutantLoader.method("replace", WorkerTest::failToStart)))
                .run(StarvedReplacementScenario.class))
        .isTrue();
  }

  private static boolean failToStart(CodeBuilder code, CodeElement element) {
    return startBy(StarvedReplacementScenario.class, code, element);
  }

  /** What it leaves to others is done by itself then, when its wait is over. */
  @Test
  void shouldWaitThoughThereIsNoMemoryForTheThreadOfAnotherWorker()
      throws ReflectiveOperationException {
    assertThat(
            new MutantLoader(
                    Map.of(
                        HandlerWorker.class.getName(),
                        MutantLoader.method(
                            "start",
                            (code, element) -> startBy(StarvedHelpScenario.class, code, element))))
                .run(StarvedHelpScenario.class))
        .isTrue();
  }

  /** Else a pool with some such handlers would have none left that may be replaced. */
  @Test
  void shouldCountNobodyAsWaitingWhoseStackEndsBeforeThat() throws ReflectiveOperationException {
    assertThat(
            new MutantLoader(
                    Map.of(
                        HandlerWorker.class.getName(),
                        endingBeforeCallsOf("tryReplace").andThen(endingBeforeCallsOf("replace")),
                        Replacements.class.getName(),
                        endingBeforeCallsOf("tryTake")))
                .run(ReplacementStackScenario.class))
        .isTrue();
  }

  private static ClassTransform endingBeforeCallsOf(String method) {
    return MutantLoader.method(
        method,
        (code, element) -> {
          if (!(element instanceof InvokeInstruction call) || call.name().equalsString("<init>")) {
            return false;
          }
          code.invokestatic(
              ClassDesc.of(ReplacementStackScenario.class.getName()),
              "between",
              MethodTypeDesc.of(ConstantDescs.CD_void));
          code.with(element);
          return true;
        });
  }

  private static boolean startBy(Class<?> scenario, CodeBuilder code, CodeElement element) {
    if (!(element instanceof InvokeInstruction call) || !call.name().equalsString("start")) {
      return false;
    }
    code.invokestatic(
        ClassDesc.of(scenario.getName()),
        "start",
        MethodTypeDesc.of(ConstantDescs.CD_void, ClassDesc.of(Thread.class.getName())));
    return true;
  }
}
