package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import org.ringwire.codec.generate.layout.Layout;
import org.ringwire.codec.generate.layout.Reach;

/** Emits what weighs keys of maps and elements of sets; see {@code KeyBound}. Stateless. */
final class KeyEmitter {
  private static final MethodTypeDesc BEGIN =
      MethodTypeDesc.of(Names.KEY_BOUND, Names.READER, CD_int);
  private static final MethodTypeDesc BEGIN_NESTED =
      MethodTypeDesc.of(Names.KEY_BOUND, Names.READER);
  private static final MethodTypeDesc WEIGH =
      MethodTypeDesc.of(CD_void, CD_Object, Names.KEY_BOUND, Names.READER);
  private static final MethodTypeDesc NEXT =
      MethodTypeDesc.of(CD_void, Names.KEY_BOUND, Names.READER);

  private KeyEmitter() {}

  /** Whether keys may differ much in what comparing them costs. */
  static boolean weighs(Layout key) {
    return !key.isFixed() && !(key instanceof Layout.Value);
  }

  /** Begins to weigh so many, if that is needed; what weighs is in a new variable. */
  static int begin(CodeBuilder code, Layout key, int count) {
    int bound = code.allocateLocal(TypeKind.REFERENCE);
    code.aload(0);
    if (Reach.hasKeys(key)) {
      code.invokestatic(Names.KEY_BOUND, "beginNested", BEGIN_NESTED);
    } else {
      code.iload(count).invokestatic(Names.KEY_BOUND, "begin", BEGIN);
    }
    code.astore(bound);
    return bound;
  }

  /** Weighs the key on the stack, which was just read, and takes it from there. */
  static void weigh(CodeBuilder code, int bound) {
    code.aload(bound).aload(0).invokestatic(Names.KEY_BOUND, "weigh", WEIGH);
  }

  /** The value of a key was read. */
  static void next(CodeBuilder code, int bound) {
    code.aload(bound).aload(0).invokestatic(Names.KEY_BOUND, "next", NEXT);
  }
}
