package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import org.ringwire.codec.generate.layout.Layout;
import org.ringwire.codec.generate.layout.Primitive;

/**
 * Emits one access of 8 bytes for neighbouring primitives that fill them exactly, instead of one
 * access each. The bytes are the same.
 */
final class WordEmitter {

  private WordEmitter() {}

  /** How many components from an index on share a word; 1 if the first does not share. */
  static int shared(List<Layout.Component> components, int from) {
    int width = 0;
    for (int i = from; i < components.size(); i++) {
      if (!(components.get(i).layout() instanceof Layout.Scalar(Primitive primitive, boolean boxed))
          || boxed) {
        return 1;
      }
      width += primitive.width();
      if (width >= Long.BYTES) {
        return width == Long.BYTES ? i - from + 1 : 1;
      }
    }
    return 1;
  }

  /** Leaves a word made of the values in the variables. */
  static void pack(CodeBuilder code, List<Layout.Component> components, int[] variables) {
    int shift = 0;
    for (int i = 0; i < variables.length; i++) {
      Primitive primitive = primitiveOf(components.get(i));
      code.loadLocal(primitive.kind(), variables[i]);
      if (primitive == Primitive.FLOAT) {
        code.invokestatic(
            Names.of(Float.class), "floatToRawIntBits", MethodTypeDesc.of(CD_int, CD_float));
      }
      code.i2l();
      int bits = primitive.width() * Byte.SIZE;
      if (shift + bits < Long.SIZE) {
        code.loadConstant((1L << bits) - 1).land();
      }
      if (shift > 0) {
        code.loadConstant(shift).lshl().lor();
      }
      shift += bits;
    }
  }

  /** Leaves the value of one component from the word in a variable. */
  static void unpack(CodeBuilder code, Primitive primitive, int word, int shift) {
    code.lload(word);
    if (shift > 0) {
      code.loadConstant(shift).lushr();
    }
    code.l2i();
    switch (primitive) {
      case BOOLEAN ->
          code.loadConstant(0xff)
              .iand()
              .invokestatic(Names.FIXED, "toBoolean", MethodTypeDesc.of(CD_boolean, CD_int));
      case FLOAT ->
          code.invokestatic(
              Names.of(Float.class), "intBitsToFloat", MethodTypeDesc.of(CD_float, CD_int));
      case INT -> {}
      default -> code.conversion(TypeKind.INT, primitive.kind());
    }
  }

  static Primitive primitiveOf(Layout.Component component) {
    return ((Layout.Scalar) component.layout()).primitive();
  }
}
