package org.ringwire.tools.demo.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ClassReferencesTest {

  private static final List<String> NUMBERED =
      List.of("java/lang/Object", "p/Self", "p/One", "p/Two", "p/Three");
  private static final int OBJECT = 0;
  private static final int ONE = 2;
  private static final int TWO = 3;

  private static final MethodTypeDesc TAKES_THREE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ClassDesc.of("p.Three"));

  @Test
  void shouldFindTheSuperclassAlone() {
    assertThat(targets(_ -> {})).containsExactly(OBJECT);
  }

  @Test
  void shouldFindClassesThatTheCodeNames() {
    assertThat(targets(code -> code.new_(ClassDesc.of("p.Two")).new_(ClassDesc.of("p.One"))))
        .containsExactly(OBJECT, ONE, TWO);
  }

  @Test
  void shouldCountArraysAsTheirElementClass() {
    ClassDesc arrays = ClassDesc.of("p.Two").arrayType(3);
    assertThat(targets(code -> code.aconst_null().checkcast(arrays))).containsExactly(OBJECT, TWO);
  }

  @Test
  void shouldIgnoreArraysOfPrimitives() {
    ClassDesc arrays = ConstantDescs.CD_int.arrayType(2);
    assertThat(targets(code -> code.aconst_null().checkcast(arrays))).containsExactly(OBJECT);
  }

  @Test
  void shouldCountEachTargetOnceAndNeverItself() {
    assertThat(
            targets(code ->
                code.new_(ClassDesc.of("p.Self"))
                    .checkcast(ClassDesc.of("p.Self").arrayType())
                    .checkcast(ClassDesc.of("p.One"))
                    .checkcast(ClassDesc.of("p.One").arrayType())
                    .checkcast(ClassDesc.of("p.One").arrayType(2))))
        .containsExactly(OBJECT, ONE);
  }

  @Test
  void shouldDropClassesWithoutNumber() {
    assertThat(targets(code -> code.new_(ClassDesc.of("q.Elsewhere")))).containsExactly(OBJECT);
  }

  @Test
  void shouldNotCountTypesThatOnlyDescriptorsName() {
    assertThat(
            targets(code ->
                code.aconst_null().invokestatic(ClassDesc.of("p.One"), "method", TAKES_THREE)))
        .containsExactly(OBJECT, ONE);
  }

  @Test
  void shouldFindMoreThanFitIntoTheFirstBuffer() {
    byte[] classFile =
        classFile(code -> {
          for (int i = 0; i < 100; i++) {
            code.new_(ClassDesc.of("p.C" + i));
          }
        });
    int[] targets =
        ClassReferences.targets(
            classFile, name -> name.startsWith("p/C") ? Integer.parseInt(name.substring(3)) : 1000);
    assertThat(targets).hasSize(100).isSorted();
  }

  @Test
  void shouldRefuseWhatIsNoClassFile() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClassReferences.targets(new byte[40], NUMBERED::indexOf));
  }

  private static int[] targets(Consumer<CodeBuilder> code) {
    return ClassReferences.targets(classFile(code), NUMBERED::indexOf);
  }

  private static byte[] classFile(Consumer<CodeBuilder> code) {
    return ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS)
        .build(
            ClassDesc.of("p.Self"),
            builder ->
                builder.withMethodBody(
                    "method",
                    ConstantDescs.MTD_void,
                    ClassFile.ACC_STATIC,
                    body -> {
                      code.accept(body);
                      body.return_();
                    }));
  }
}
