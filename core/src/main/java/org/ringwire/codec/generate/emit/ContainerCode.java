package org.ringwire.codec.generate.emit;

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

  static final int NULL_COUNT = -1;

  /** What sets the bit of a null element. */
  static final MethodTypeDesc MARK_NULL = MethodTypeDesc.of(CD_void, Names.MEMORY, CD_long, CD_int);

  private ContainerCode() {}

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

  static void putCount(CodeBuilder code) {
    code.invokestatic(
        Names.SEQUENCES, "putCount", MethodTypeDesc.of(CD_void, Names.WRITER, CD_int));
  }

  /** Runs code that returns if the first parameter is null. */
  static void returnIfNull(CodeBuilder code, Runnable whenNull) {
    Label present = code.newLabel();
    code.aload(0).ifnonnull(present);
    whenNull.run();
    code.labelBinding(present);
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
