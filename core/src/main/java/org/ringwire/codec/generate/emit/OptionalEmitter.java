package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import org.ringwire.codec.generate.layout.Layout;

/** Emits the bodies of the {@link PartMethod} methods of optionals: a state, then the value. */
final class OptionalEmitter {
  private static final int NULL = 0;
  private static final int EMPTY = 1;
  private static final int PRESENT = 2;
  private static final MethodTypeDesc PUT_BYTE =
      MethodTypeDesc.of(CD_void, Names.MEMORY, CD_long, Names.of(byte.class));

  private final ValueEmitter values;

  OptionalEmitter(ValueEmitter values) {
    this.values = values;
  }

  void emit(CodeBuilder code, PartMethod part, Layout.Maybe maybe) {
    switch (part) {
      case LENGTH -> length(code, maybe.value());
      case WRITE -> write(code, maybe.value());
      case READ -> read(code, maybe.value());
      case STORE_AT -> storeAt(code, maybe.value());
      case LOAD_AT -> loadAt(code, maybe.value());
    }
  }

  /** {@code long length(Optional optional, int depth)}. */
  private void length(CodeBuilder code, Layout content) {
    Label absent = code.newLabel();
    int value = loadContent(code, content, absent);
    values.length(code, content, value, 1);
    code.lconst_1().ladd().lreturn();
    code.labelBinding(absent).lconst_1().lreturn();
  }

  /** {@code void write(Optional optional, Writer writer, int depth)}. */
  private void write(CodeBuilder code, Layout content) {
    MethodTypeDesc putByte = MethodTypeDesc.of(CD_void, Names.of(byte.class));
    Label absent = code.newLabel();
    int value = loadContent(code, content, absent);
    code.aload(1).loadConstant(PRESENT).invokevirtual(Names.WRITER, "putByte", putByte);
    values.write(code, content, value, 1, 2);
    code.return_();
    code.labelBinding(absent).aload(1);
    loadAbsentState(code);
    code.invokevirtual(Names.WRITER, "putByte", putByte).return_();
  }

  /** {@code void storeAt(Optional optional, MemorySegment memory, long offset)}. */
  private void storeAt(CodeBuilder code, Layout content) {
    int memory = 1;
    int base = 2;
    Label absent = code.newLabel();
    int value = loadContent(code, content, absent);
    code.aload(memory).lload(base).loadConstant(PRESENT);
    code.invokestatic(Names.FIXED, "putByte", PUT_BYTE);
    values.storeAt(code, content, value, memory, base, 1);
    code.return_();
    code.labelBinding(absent).aload(memory).lload(base);
    loadAbsentState(code);
    code.invokestatic(Names.FIXED, "putByte", PUT_BYTE);
    code.aload(memory).lload(base).lconst_1().ladd().loadConstant((long) content.width());
    code.invokestatic(
        Names.FIXED, "zero", MethodTypeDesc.of(CD_void, Names.MEMORY, CD_long, CD_long));
    code.return_();
  }

  /** {@code Optional read(Reader reader, int depth)}. */
  private void read(CodeBuilder code, Layout content) {
    code.aload(0).invokevirtual(Names.READER, "getByte", MethodTypeDesc.of(Names.of(byte.class)));
    returnIfAbsent(code);
    values.read(code, content, 0, 1);
    wrap(code);
  }

  /** {@code Optional loadAt(MemorySegment memory, long offset)}. */
  private void loadAt(CodeBuilder code, Layout content) {
    code.aload(0).lload(1);
    code.invokestatic(
        Names.FIXED, "getUnsignedByte", MethodTypeDesc.of(CD_int, Names.MEMORY, CD_long));
    returnIfAbsent(code);
    values.loadAt(code, content, 0, 1, 1);
    wrap(code);
  }

  /** Leaves the content of the first parameter in a new variable, or jumps. */
  private static int loadContent(CodeBuilder code, Layout content, Label absent) {
    code.aload(0).ifnull(absent);
    code.aload(0).invokevirtual(Names.OPTIONAL, "isEmpty", MethodTypeDesc.of(CD_boolean));
    code.ifne(absent);
    code.aload(0).invokevirtual(Names.OPTIONAL, "get", MethodTypeDesc.of(CD_Object));
    ValueEmitter.cast(code, Object.class, ValueEmitter.typeRead(content));
    int value = code.allocateLocal(TypeKind.REFERENCE);
    code.astore(value);
    return value;
  }

  private static void loadAbsentState(CodeBuilder code) {
    Label isNull = code.newLabel();
    Label end = code.newLabel();
    code.aload(0).ifnull(isNull).loadConstant(EMPTY).goto_(end);
    code.labelBinding(isNull).loadConstant(NULL).labelBinding(end);
  }

  /** Takes the state from the stack; returns from the method unless there is a value. */
  private static void returnIfAbsent(CodeBuilder code) {
    int state = code.allocateLocal(TypeKind.INT);
    Label notNull = code.newLabel();
    Label present = code.newLabel();
    code.istore(state).iload(state);
    code.invokestatic(Names.VALUES, "checkOptional", MethodTypeDesc.of(CD_void, CD_int));
    code.iload(state).ifne(notNull).aconst_null().areturn();
    code.labelBinding(notNull).iload(state).loadConstant(PRESENT).if_icmpeq(present);
    code.invokestatic(Names.OPTIONAL, "empty", MethodTypeDesc.of(Names.OPTIONAL)).areturn();
    code.labelBinding(present);
  }

  private static void wrap(CodeBuilder code) {
    code.invokestatic(Names.OPTIONAL, "ofNullable", MethodTypeDesc.of(Names.OPTIONAL, CD_Object));
    code.areturn();
  }
}
