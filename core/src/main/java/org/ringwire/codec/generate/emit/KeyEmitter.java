package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import org.ringwire.codec.generate.layout.Layout;
import org.ringwire.codec.generate.layout.Reach;

/** Emits what weighs keys of maps and elements of sets; see {@code KeyCosts}. Stateless. */
final class KeyEmitter {
  private static final MethodTypeDesc BEGIN = MethodTypeDesc.of(Names.KEY_COSTS, Names.READER);
  private static final MethodTypeDesc WEIGH =
      MethodTypeDesc.of(CD_void, CD_Object, Names.KEY_COSTS, Names.READER);
  private static final MethodTypeDesc NEXT =
      MethodTypeDesc.of(CD_void, Names.KEY_COSTS, Names.READER);

  private KeyEmitter() {}

  /** Whether keys may differ much in what comparing them costs. */
  static boolean weighs(Layout key) {
    return !key.isFixed() && !(key instanceof Layout.Value);
  }

  /** Begins to weigh, if that is needed; what weighs is in a new variable. */
  static int begin(CodeBuilder code, Layout key) {
    int costs = code.allocateLocal(TypeKind.REFERENCE);
    String method = Reach.hasKeys(key) ? "beginNested" : "begin";
    code.aload(0).invokestatic(Names.KEY_COSTS, method, BEGIN).astore(costs);
    return costs;
  }

  /** Weighs the key on the stack, which was just read, and takes it from there. */
  static void weigh(CodeBuilder code, int costs) {
    code.aload(costs).aload(0).invokestatic(Names.KEY_COSTS, "weigh", WEIGH);
  }

  /** The value of a key was read. */
  static void next(CodeBuilder code, int costs) {
    code.aload(costs).aload(0).invokestatic(Names.KEY_COSTS, "next", NEXT);
  }
}
