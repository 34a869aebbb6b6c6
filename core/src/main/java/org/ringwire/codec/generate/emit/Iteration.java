package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;

/** Loops over what a collection yields. */
enum Iteration {
  /** Through the first parameter of the method, which needs no iterator if it has random access. */
  LIST {
    @Override
    void begin(CodeBuilder code) {
      MethodTypeDesc begin = MethodTypeDesc.of(Names.ITERATOR, Names.LIST);
      code.invokestatic(Names.SEQUENCES, "iterator", begin);
    }

    @Override
    void hasNext(CodeBuilder code, int iterator, int index) {
      code.aload(0).aload(iterator).iload(index);
      MethodTypeDesc hasNext = MethodTypeDesc.of(CD_boolean, Names.LIST, Names.ITERATOR, CD_int);
      code.invokestatic(Names.SEQUENCES, "hasNext", hasNext);
    }

    @Override
    void next(CodeBuilder code, int iterator, int index, int count) {
      code.aload(0).aload(iterator).iload(index).iload(count);
      MethodTypeDesc next =
          MethodTypeDesc.of(CD_Object, Names.LIST, Names.ITERATOR, CD_int, CD_int);
      code.invokestatic(Names.SEQUENCES, "next", next);
    }
  },

  /** Through a set. */
  SET {
    @Override
    void begin(CodeBuilder code) {
      code.invokeinterface(Names.SET, "iterator", MethodTypeDesc.of(Names.ITERATOR));
    }

    @Override
    void hasNext(CodeBuilder code, int iterator, int index) {
      code.aload(iterator);
      code.invokeinterface(Names.ITERATOR, "hasNext", MethodTypeDesc.of(CD_boolean));
    }

    @Override
    void next(CodeBuilder code, int iterator, int index, int count) {
      code.aload(iterator);
      code.invokeinterface(Names.ITERATOR, "next", MethodTypeDesc.of(CD_Object));
    }
  };

  private static final MethodTypeDesc CHECK = MethodTypeDesc.of(CD_void, CD_int, CD_int);

  /** Puts an iterator, or null if none is needed, in the place of the collection on the stack. */
  abstract void begin(CodeBuilder code);

  /** Asks whether there is one more, given the variables of the iterator and the index. */
  abstract void hasNext(CodeBuilder code, int iterator, int index);

  /** Takes the one that comes next, of so many as the variable of the count says. */
  abstract void next(CodeBuilder code, int iterator, int index, int count);

  /**
   * Runs the body with all there are, from what {@link #begin} has left on the stack; they must be
   * as many as counted.
   *
   * @param index variable of the number of the element
   * @param count variable of the number of elements
   * @param needed what the body needs an element as
   * @param value variable of the element
   */
  void each(CodeBuilder code, int index, int count, Class<?> needed, int value, Runnable body) {
    int iterator = code.allocateLocal(TypeKind.REFERENCE);
    Label test = code.newLabel();
    Label start = code.newLabel();
    code.astore(iterator).iconst_0().istore(index).goto_(test);
    code.labelBinding(start);
    code.iload(index).iload(count).invokestatic(Names.SEQUENCES, "checkIndex", CHECK);
    next(code, iterator, index, count);
    ValueEmitter.cast(code, Object.class, needed);
    code.astore(value);
    body.run();
    code.iinc(index, 1);
    code.labelBinding(test);
    hasNext(code, iterator, index);
    code.ifne(start);
    code.iload(count).iload(index).invokestatic(Names.SEQUENCES, "checkCount", CHECK);
  }
}
