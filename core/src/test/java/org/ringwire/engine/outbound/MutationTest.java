package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
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
 * Four lines that nothing but a rare interleaving misses: the fence before the consumer role is
 * read, the second look after it was given back, the word that something is urgent, which who does
 * not get the role puts back, and the credit check of a claim. Each scenario passes with the
 * library as it is and fails when its line is taken out.
 */
@ExtendWith(NodeWatcher.class)
class MutationTest {

  private static final ClassDesc BUFFER = ClassDesc.of(StoreBuffer.class.getName());
  private static final ClassDesc URGENT = ClassDesc.of(UrgentScenario.class.getName());
  private static final ClassDesc RING = ClassDesc.of(OutboundRing.class.getName());

  private static boolean isCall(CodeElement element, String method) {
    return element instanceof InvokeInstruction call && call.name().equalsString(method);
  }

  /** Commits stay with their thread until its next full fence. */
  private static Map<String, ClassTransform> delayedStores(boolean withFence) {
    Map<String, ClassTransform> mutations = new HashMap<>();
    mutations.put(
        DrainScenario.class.getName(),
        MutantLoader.method(
            "send",
            (code, element) -> {
              if (!isCall(element, "commit")) {
                return false;
              }
              code.invokestatic(
                  BUFFER,
                  "commit",
                  MethodTypeDesc.of(
                      ConstantDescs.CD_void, RING, ConstantDescs.CD_long, ConstantDescs.CD_long));
              return true;
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

  /**
   * Lets others act when a sender has read that something is urgent.
   *
   * @param putsBack whether it puts that back when it does not get the role
   */
  private static Map<String, ClassTransform> pausedTake(boolean putsBack) {
    return Map.of(
        ConsumerRole.class.getName(),
        MutantLoader.method(
            "take",
            (code, element) -> {
              if (isCall(element, "setOpaque")) {
                code.invokestatic(URGENT, "between", MethodTypeDesc.of(ConstantDescs.CD_void));
                code.with(element);
                return true;
              }
              if (!putsBack
                  && element instanceof FieldInstruction field
                  && field.opcode() == Opcode.PUTFIELD
                  && field.name().equalsString("urgent")) {
                code.pop2();
                return true;
              }
              return false;
            }));
  }

  private static boolean runUrgent(boolean putsBack) throws ReflectiveOperationException {
    Map<String, ClassTransform> mutations = pausedTake(putsBack);
    return new MutantLoader(mutations).run(UrgentScenario.class);
  }

  @Test
  void shouldWriteWhatIsUrgentAlthoughAnotherTakesTheWordBack() throws Exception {
    assertThat(runUrgent(true)).isTrue();
  }

  @Test
  void shouldFindThatTheWordIsNotPutBack() throws Exception {
    assertThat(runUrgent(false)).isFalse();
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
