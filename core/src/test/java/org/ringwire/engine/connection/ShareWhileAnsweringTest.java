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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/** The peer's link is shared also where ours ends while the HELLO of that is being answered. */
@ExtendWith(NodeWatcher.class)
class ShareWhileAnsweringTest {

  private static final ClassDesc SCENARIO =
      ClassDesc.of(ShareWhileAnsweringScenario.class.getName());

  @ParameterizedTest
  @ValueSource(strings = {"takesData", "queue", "isEnded", "welcomed", "drain"})
  void shouldShareTheLinkOfThePeer(String before) throws ReflectiveOperationException {
    MutantLoader ending =
        new MutantLoader(
            Map.of(
                SessionHandshake.class.getName(),
                MutantLoader.method(
                    "welcome", (code, element) -> call(code, element, before, SCENARIO))));
    assertThat(ending.run(ShareWhileAnsweringScenario.class)).isTrue();
  }

  /** It is part of the connection by then, and nothing is decided yet. */
  @ParameterizedTest
  @ValueSource(strings = {"belongTo", "welcomeInbound"})
  void shouldShareTheLinkOfThePeerAlsoBeforeItIsAnswered(String before)
      throws ReflectiveOperationException {
    MutantLoader ending =
        new MutantLoader(
            Map.of(
                Admissions.class.getName(),
                MutantLoader.method(
                    "join", (code, element) -> call(code, element, before, SCENARIO))));
    assertThat(ending.run(ShareWhileAnsweringScenario.class)).isTrue();
  }

  /** One that takes the place of that is welcomed as shared, and told no more. */
  @Test
  void shouldTellThePeerOnceThatItsLinkIsShared() throws ReflectiveOperationException {
    ClassDesc scenario = ClassDesc.of(ShareOnceScenario.class.getName());
    MutantLoader replacing =
        new MutantLoader(
            Map.of(
                SessionHandshake.class.getName(),
                MutantLoader.method(
                    "welcome", (code, element) -> call(code, element, "welcomed", scenario))));
    assertThat(replacing.run(ShareOnceScenario.class)).isTrue();
  }

  private static boolean call(
      CodeBuilder code, CodeElement element, String before, ClassDesc scenario) {
    if (!(element instanceof InvokeInstruction call) || !call.name().equalsString(before)) {
      return false;
    }
    code.invokestatic(scenario, "between", MethodTypeDesc.of(ConstantDescs.CD_void));
    code.with(element);
    return true;
  }
}
