package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;

/** What is long is copied in pieces. */
@ExtendWith(NodeWatcher.class)
class PiecesTest {

  private static final String MEMORY = "java/lang/foreign/MemorySegment";

  /** Else no other thread of the process comes past its next safepoint before the copy is over. */
  @Test
  void shouldComeToSafepointsDuringALongCopy() throws ReflectiveOperationException {
    MutantLoader telling =
        new MutantLoader(
            Map.of(
                Writer.class.getName(),
                telling(
                    "putBytes",
                    "putShorts",
                    "putChars",
                    "putInts",
                    "putLongs",
                    "putFloats",
                    "putDoubles"),
                Reader.class.getName(),
                telling(
                    "getBytes",
                    "getShorts",
                    "getChars",
                    "getInts",
                    "getLongs",
                    "getFloats",
                    "getDoubles"),
                Pieces.class.getName(),
                telling("put", "get", "copy")));
    assertThat(telling.run(PiecesScenario.class)).isTrue();
  }

  private static ClassTransform telling(String... methods) {
    return Stream.of(methods)
        .map(method -> MutantLoader.method(method, PiecesTest::tellBeforeACopy))
        .reduce(ClassTransform::andThen)
        .orElseThrow();
  }

  private static boolean tellBeforeACopy(CodeBuilder code, CodeElement element) {
    if (!(element instanceof InvokeInstruction call)
        || !call.owner().name().equalsString(MEMORY)
        || !call.name().equalsString("copy")) {
      return false;
    }
    if (call.typeSymbol().parameterList().getLast().equals(ConstantDescs.CD_int)) {
      code.dup();
      code.i2l();
    } else {
      code.dup2();
    }
    code.invokestatic(
        ClassDesc.of(PiecesScenario.class.getName()),
        "copying",
        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long));
    code.with(element);
    return true;
  }
}
