package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.ring.OutboundRing;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/**
 * Three lines that nothing but a rare interleaving misses: the fence before the consumer role is
 * read, the second look after it was given back, and the credit check of a claim. Each scenario
 * passes with the library as it is and fails when its line is taken out.
 */
@ExtendWith(NodeWatcher.class)
class MutationTest {

  private static final ClassDesc BUFFER = ClassDesc.of(StoreBuffer.class.getName());
  private static final ClassDesc RING = ClassDesc.of(OutboundRing.class.getName());

  private static boolean isCall(CodeElement element, String method) {
    return element instanceof InvokeInstruction call && call.name().equalsString(method);
  }

  /** Commits stay with their thread until its next full fence. */
  private static Map<String, ClassTransform> delayedStores(boolean withFence) {
    Map<String, ClassTransform> mutations = new HashMap<>();
    mutations.put(
        OutboundRing.class.getName(),
        MutantLoader.method(
            "commit",
            (code, element) -> {
              if (element instanceof ReturnInstruction) {
                code.aload(0).lload(1).lload(3);
                code.invokestatic(
                    BUFFER,
                    "commit",
                    MethodTypeDesc.of(
                        ConstantDescs.CD_void, RING, ConstantDescs.CD_long, ConstantDescs.CD_long));
                code.return_();
                return true;
              }
              return isSignaturePolymorphicStore(code, element);
            }));
    mutations.put(
        OutboundPipe.class.getName(),
        MutantLoader.method(
            "drain",
            (code, element) -> {
              if (!isCall(element, "fullFence")) {
                return false;
              }
              if (withFence) {
                code.invokestatic(BUFFER, "fence", MethodTypeDesc.of(ConstantDescs.CD_void));
              }
              return true;
            }));
    return mutations;
  }

  /** Takes the store out: its operands are a handle, a segment and two numbers. */
  private static boolean isSignaturePolymorphicStore(
      java.lang.classfile.CodeBuilder code, CodeElement element) {
    if (!isCall(element, "setRelease")) {
      return false;
    }
    code.pop2().pop2().pop().pop();
    return true;
  }

  @Test
  void shouldForgetNoMessageThatComesWhileTheRoleIsGivenBack() {
    assertThat(new DrainScenario().getAsBoolean()).isTrue();
  }

  @Test
  void shouldFindThatTheSecondLookIsMissing() throws ReflectiveOperationException {
    MutantLoader mutant =
        new MutantLoader(
            Map.of(
                OutboundPipe.class.getName(),
                MutantLoader.method(
                    "drainCommitted",
                    (code, element) -> {
                      if (!isCall(element, "hasWork")) {
                        return false;
                      }
                      code.pop().iconst_0();
                      return true;
                    })));
    assertThat(mutant.run(DrainScenario.class)).isFalse();
  }

  @Test
  void shouldForgetNoMessageWhenStoresAreDelayedUpToTheFence() throws ReflectiveOperationException {
    assertThat(new MutantLoader(delayedStores(true)).run(DrainScenario.class)).isTrue();
  }

  @Test
  void shouldFindThatTheFenceIsMissing() throws ReflectiveOperationException {
    assertThat(new MutantLoader(delayedStores(false)).run(DrainScenario.class)).isFalse();
  }

  @Test
  void shouldNeverClaimBeyondTheCredit() {
    assertThat(new CreditScenario().getAsBoolean()).isTrue();
  }

  @Test
  void shouldFindThatTheCreditCheckIsMissing() throws ReflectiveOperationException {
    boolean[] first = {true};
    MutantLoader mutant =
        new MutantLoader(
            Map.of(
                OutboundRing.class.getName(),
                MutantLoader.method(
                    "tryClaim",
                    (code, element) -> {
                      boolean comparison =
                          element instanceof OperatorInstruction operator
                              && operator.opcode() == Opcode.LCMP;
                      if (!comparison || !first[0]) {
                        return false;
                      }
                      first[0] = false;
                      code.pop2().pop2().iconst_m1(); // never more than granted
                      return true;
                    })));
    assertThat(mutant.run(CreditScenario.class)).isFalse();
  }
}
