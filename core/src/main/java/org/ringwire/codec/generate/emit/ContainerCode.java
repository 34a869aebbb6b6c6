package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.MethodTypeDesc;

/**
 * Pieces of code that containers of all kinds share: their count, the bits of null elements, and
 * the loop.
 */
final class ContainerCode {

  private static final int NULL_COUNT = -1;
  private static final MethodTypeDesc OF_COUNT = MethodTypeDesc.of(CD_long, CD_int);

  /** What sets the bit of a null element. */
  static final MethodTypeDesc MARK_NULL = MethodTypeDesc.of(CD_void, Names.MEMORY, CD_long, CD_int);

  /** What asks for the bit of an element, or for those of so many. */
  static final MethodTypeDesc TEST_NULL =
      MethodTypeDesc.of(CD_boolean, Names.MEMORY, CD_long, CD_int);

  private ContainerCode() {}

  /** Leaves the length of a count. */
  static void lengthOfCount(CodeBuilder code, int count) {
    code.iload(count).invokestatic(Names.SEQUENCES, "lengthOfCount", OF_COUNT);
  }

  /** Leaves the length of the bits of null elements. */
  static void nullBytes(CodeBuilder code, int count) {
    code.iload(count).invokestatic(Names.SEQUENCES, "nullBytes", OF_COUNT);
  }

  /** Reads the count of a container; returns null from the method if that is what there is. */
  static void readCount(CodeBuilder code, int count, int minimum, int bitmaps) {
    Label present = code.newLabel();
    code.aload(0).loadConstant((long) minimum).loadConstant(bitmaps);
    code.invokestatic(
        Names.SEQUENCES, "getCount", MethodTypeDesc.of(CD_int, Names.READER, CD_long, CD_int));
    code.dup().istore(count).ifge(present).aconst_null().areturn().labelBinding(present);
  }

  static void beginNulls(CodeBuilder code, int writer, int count, int nulls) {
    code.aload(writer).iload(count);
    code.invokestatic(
        Names.SEQUENCES, "beginNulls", MethodTypeDesc.of(CD_long, Names.WRITER, CD_int));
    code.lstore(nulls);
  }

  static void markNull(CodeBuilder code, int writer, int nulls, int index) {
    code.aload(writer).invokevirtual(Names.WRITER, "memory", Names.GET_MEMORY);
    code.lload(nulls).iload(index);
    code.invokestatic(Names.SEQUENCES, "markNull", MARK_NULL);
  }

  /** Writes a count. */
  static void putCount(CodeBuilder code, int writer, int count) {
    code.aload(writer).iload(count);
    invokePutCount(code);
  }

  private static void invokePutCount(CodeBuilder code) {
    code.invokestatic(
        Names.SEQUENCES, "putCount", MethodTypeDesc.of(CD_void, Names.WRITER, CD_int));
  }

  /** Returns from a method that measures if the first parameter is null. */
  static void returnLengthOfNull(CodeBuilder code) {
    Label present = code.newLabel();
    code.aload(0).ifnonnull(present).lconst_1().lreturn().labelBinding(present);
  }

  /** Returns from a method that writes if the first parameter is null. */
  static void returnWrittenNull(CodeBuilder code, int writer) {
    Label present = code.newLabel();
    code.aload(0).ifnonnull(present).aload(writer).loadConstant(NULL_COUNT);
    invokePutCount(code);
    code.return_().labelBinding(present);
  }

  /** Runs the body with {@code index} from 0 to {@code count - 1}. */
  static void loop(CodeBuilder code, int index, int count, Runnable body) {
    Label test = code.newLabel();
    Label start = code.newLabel();
    code.iconst_0().istore(index).goto_(test).labelBinding(start);
    body.run();
    code.iinc(index, 1);
    code.labelBinding(test).iload(index).iload(count).if_icmplt(start);
  }
}
