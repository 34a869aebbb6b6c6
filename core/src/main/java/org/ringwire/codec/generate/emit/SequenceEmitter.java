package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.function.IntConsumer;
import org.ringwire.codec.generate.layout.EvolvedLayout;
import org.ringwire.codec.generate.layout.Layout;
import org.ringwire.codec.generate.layout.Reach;

/** Emits the code of arrays, lists and sets: their length, and how they are written and read. */
final class SequenceEmitter {

  private static final MethodTypeDesc ZERO =
      MethodTypeDesc.of(CD_void, Names.MEMORY, CD_long, CD_long);

  private static final MethodTypeDesc CAPACITY = MethodTypeDesc.of(CD_int, CD_int);
  private static final MethodTypeDesc GROW =
      MethodTypeDesc.of(CD_Object.arrayType(), CD_Object.arrayType(), CD_int);

  private static final MethodTypeDesc LIST = MethodTypeDesc.of(Names.LIST, CD_Object.arrayType());
  private static final MethodTypeDesc LIST_WITH_NULLS =
      MethodTypeDesc.of(Names.LIST, CD_Object.arrayType(), Names.READER);
  private static final MethodTypeDesc SET =
      MethodTypeDesc.of(Names.SET, CD_Object.arrayType(), Names.READER);
  private static final MethodTypeDesc WEIGHED_SET =
      MethodTypeDesc.of(Names.SET, CD_Object.arrayType(), Names.KEY_BOUND, Names.READER);

  private final ValueEmitter values;
  private final ElementEmitter elements;

  SequenceEmitter(ValueEmitter values) {
    this.values = values;
    elements = new ElementEmitter(values);
  }

  void emit(CodeBuilder code, PartMethod part, Layout.Sequence sequence) {
    switch (part) {
      case LENGTH -> length(code, sequence);
      case WRITE -> write(code, sequence);
      case READ -> read(code, sequence);
      default -> throw new IllegalStateException("sequences are not fixed");
    }
  }

  /** {@code long length(S sequence, int depth)}. */
  private void length(CodeBuilder code, Layout.Sequence sequence) {
    Layout element = sequence.element();
    ContainerCode.returnLengthOfNull(code);
    int count = count(code, sequence);
    ContainerCode.lengthOfCount(code, count);
    if (element.needsNullBit()) {
      ContainerCode.nullBytes(code, count);
      code.ladd();
    }
    if (element.isFixed()) {
      code.iload(count).i2l().loadConstant((long) sequence.stride()).lmul().ladd().lreturn();
      return;
    }
    int total = code.allocateLocal(TypeKind.LONG);
    code.lstore(total);
    int index = code.allocateLocal(TypeKind.INT);
    forEach(code, sequence, count, index, value -> elements.addLength(code, element, value, total));
    code.lload(total).lreturn();
  }

  /** {@code void write(S sequence, Writer writer, int depth)}. */
  private void write(CodeBuilder code, Layout.Sequence sequence) {
    int writer = 1;
    ContainerCode.returnWrittenNull(code, writer);
    int count = count(code, sequence);
    ContainerCode.putCount(code, writer, count);
    if (sequence.element().isFixed()) {
      writeFixed(code, sequence, count);
    } else {
      writeVariable(code, sequence, count);
    }
    code.return_();
  }

  private void writeFixed(CodeBuilder code, Layout.Sequence sequence, int count) {
    Layout element = sequence.element();
    int base = advanceAll(code, Names.WRITER, sequence, count);
    int memory = ValueEmitter.memory(code, Names.WRITER, 1);
    if (element.needsNullBit()) {
      code.aload(memory).lload(base).iload(count);
      code.invokestatic(Names.SEQUENCES, "clearNulls", ContainerCode.MARK_NULL);
    }
    int at = firstElement(code, sequence, base, count);
    int index = code.allocateLocal(TypeKind.INT);
    forEach(
        code,
        sequence,
        count,
        index,
        value -> {
          Label present = code.newLabel();
          Label end = code.newLabel();
          if (element.needsNullBit()) {
            code.aload(value).ifnonnull(present);
            code.aload(memory).lload(base).iload(index);
            code.invokestatic(Names.SEQUENCES, "markNull", ContainerCode.MARK_NULL);
            zero(code, memory, at, sequence.stride());
            code.goto_(end);
          }
          code.labelBinding(present);
          if (element.width() == 0) {
            zero(code, memory, at, sequence.stride());
          } else {
            values.storeAt(code, element, value, memory, at, 0);
          }
          code.labelBinding(end);
          code.lload(at).loadConstant((long) sequence.stride()).ladd().lstore(at);
        });
  }

  private static void zero(CodeBuilder code, int memory, int at, int length) {
    code.aload(memory).lload(at).loadConstant((long) length);
    code.invokestatic(Names.FIXED, "zero", ZERO);
  }

  private void writeVariable(CodeBuilder code, Layout.Sequence sequence, int count) {
    Layout element = sequence.element();
    int nulls = code.allocateLocal(TypeKind.LONG);
    if (element.needsNullBit()) {
      ContainerCode.beginNulls(code, 1, count, nulls);
    }
    int index = code.allocateLocal(TypeKind.INT);
    forEach(
        code, sequence, count, index, value -> elements.write(code, element, value, nulls, index));
  }

  /** {@code S read(Reader reader, int depth)}. */
  private void read(CodeBuilder code, Layout.Sequence sequence) {
    int reader = 0;
    Layout element = sequence.element();
    int minimum = element.isFixed() ? sequence.stride() : element.minimum();
    int count = code.allocateLocal(TypeKind.INT);
    ContainerCode.readCount(code, count, minimum, element.needsNullBit() ? 1 : 0);
    int base =
        element.isFixed() || element.needsNullBit()
            ? advanceAll(code, Names.READER, sequence, count)
            : -1;
    int memory = ValueEmitter.memory(code, Names.READER, reader);
    int anyNull = code.allocateLocal(TypeKind.INT);
    if (element.needsNullBit()) {
      code.aload(memory).lload(base).iload(count);
      code.invokestatic(Names.SEQUENCES, "anyNull", ContainerCode.TEST_NULL).istore(anyNull);
    }
    int at = element.isFixed() ? firstElement(code, sequence, base, count) : -1;
    boolean grows = !element.isFixed() && !element.needsNullBit() && Reach.isNesting(element);
    int array = newArray(code, sequence, count, grows);
    int bound = beginWeighing(code, sequence, count);
    int index = code.allocateLocal(TypeKind.INT);
    ContainerCode.loop(
        code,
        index,
        count,
        () -> {
          Label present = code.newLabel();
          Label end = code.newLabel();
          if (element.needsNullBit()) {
            code.iload(anyNull).ifeq(present);
            code.aload(memory).lload(base).iload(index);
            code.invokestatic(Names.SEQUENCES, "isNull", ContainerCode.TEST_NULL).ifne(end);
          }
          code.labelBinding(present);
          if (grows) {
            makeRoom(code, array, index, count, arrayType(sequence));
          }
          code.aload(array).iload(index);
          if (element.isFixed()) {
            values.loadAt(code, element, memory, at, 0);
          } else {
            values.read(code, element, reader, 1);
          }
          code.aastore();
          if (bound >= 0) {
            code.aload(array).iload(index).aaload();
            KeyEmitter.weigh(code, bound);
          }
          code.labelBinding(end);
          if (element.isFixed()) {
            code.lload(at).loadConstant((long) sequence.stride()).ladd().lstore(at);
          }
        });
    finish(code, sequence, array, bound);
    code.areturn();
  }

  /** What weighs the elements of a set, in a new variable; -1 if nothing has to. */
  private static int beginWeighing(CodeBuilder code, Layout.Sequence sequence, int count) {
    Layout element = sequence.element();
    return sequence.container() == Layout.Container.SET && KeyEmitter.weighs(element)
        ? KeyEmitter.begin(code, element, count)
        : -1;
  }

  /** An array for elements that are read, in a new variable. */
  private int newArray(CodeBuilder code, Layout.Sequence sequence, int count, boolean grows) {
    int array = code.allocateLocal(TypeKind.REFERENCE);
    code.iload(count);
    if (grows) {
      code.invokestatic(Names.SEQUENCES, "firstCapacity", CAPACITY);
    }
    if (sequence.container() == Layout.Container.ARRAY) {
      values.newArray(code, sequence);
    } else {
      code.anewarray(CD_Object);
    }
    code.astore(array);
    return array;
  }

  /** The type of the variable with the elements that are read. */
  private static Class<?> arrayType(Layout.Sequence sequence) {
    return sequence.container() == Layout.Container.ARRAY
        ? ValueEmitter.typeRead(sequence)
        : Object[].class;
  }

  /** Replaces an array that has no room for an element. */
  private static void makeRoom(CodeBuilder code, int array, int index, int count, Class<?> type) {
    Label fits = code.newLabel();
    code.iload(index).aload(array).arraylength().if_icmplt(fits);
    code.aload(array).iload(count).invokestatic(Names.SEQUENCES, "grow", GROW);
    ValueEmitter.cast(code, Object[].class, type);
    code.astore(array).labelBinding(fits);
  }

  /** {@code T[] read(Reader reader, int depth)} for primitives that are wider here than there. */
  void readWidened(CodeBuilder code, EvolvedLayout.WidenedArray array) {
    Layout written = new Layout.Scalar(array.from(), false);
    EvolvedLayout.Widened element =
        new EvolvedLayout.Widened(written, array.from(), array.to(), false);
    long width = array.from().width();
    int count = code.allocateLocal(TypeKind.INT);
    ContainerCode.readCount(code, count, array.from().width(), 0);
    int at = code.allocateLocal(TypeKind.LONG);
    code.aload(0).iload(count).i2l().loadConstant(width).lmul();
    code.invokevirtual(Names.READER, "advance", Names.ADVANCE).lstore(at);
    int memory = ValueEmitter.memory(code, Names.READER, 0);
    int result = code.allocateLocal(TypeKind.REFERENCE);
    code.iload(count).newarray(array.to().kind()).astore(result);
    int index = code.allocateLocal(TypeKind.INT);
    ContainerCode.loop(
        code,
        index,
        count,
        () -> {
          code.aload(result).iload(index);
          values.loadAt(code, element, memory, at, 0);
          code.arrayStore(array.to().kind());
          code.lload(at).loadConstant(width).ladd().lstore(at);
        });
    code.aload(result).areturn();
  }

  /** Leaves the container of the elements in an array. */
  private static void finish(CodeBuilder code, Layout.Sequence sequence, int array, int bound) {
    code.aload(array);
    Layout element = sequence.element();
    switch (sequence.container()) {
      case ARRAY -> {}
      case LIST -> {
        if (element.needsNullBit() && !element.isFixed()) {
          code.aload(0).invokestatic(Names.SEQUENCES, "list", LIST_WITH_NULLS);
        } else {
          code.invokestatic(Names.SEQUENCES, "list", LIST);
        }
      }
      case SET -> {
        if (bound >= 0) {
          code.aload(bound).aload(0).invokestatic(Names.SEQUENCES, "weighedSet", WEIGHED_SET);
        } else {
          code.aload(0).invokestatic(Names.SEQUENCES, "set", SET);
        }
      }
    }
  }

  /** Reserves bits for null and fixed elements at once; the offset goes to a new variable. */
  private static int advanceAll(
      CodeBuilder code, ClassDesc cursor, Layout.Sequence sequence, int count) {
    Layout element = sequence.element();
    code.aload(cursor.equals(Names.WRITER) ? 1 : 0);
    if (element.needsNullBit()) {
      ContainerCode.nullBytes(code, count);
    } else {
      code.lconst_0();
    }
    if (element.isFixed()) {
      code.iload(count).i2l().loadConstant((long) sequence.stride()).lmul().ladd();
    }
    int base = code.allocateLocal(TypeKind.LONG);
    code.invokevirtual(cursor, "advance", Names.ADVANCE).lstore(base);
    return base;
  }

  private static int firstElement(CodeBuilder code, Layout.Sequence sequence, int base, int count) {
    int at = code.allocateLocal(TypeKind.LONG);
    code.lload(base);
    if (sequence.element().needsNullBit()) {
      ContainerCode.nullBytes(code, count);
      code.ladd();
    }
    code.lstore(at);
    return at;
  }

  /** The number of elements of the first parameter, in a new variable. */
  private static int count(CodeBuilder code, Layout.Sequence sequence) {
    int count = code.allocateLocal(TypeKind.INT);
    code.aload(0);
    if (sequence.container() == Layout.Container.ARRAY) {
      code.arraylength();
    } else {
      code.invokeinterface(Names.of(sequence.type()), "size", MethodTypeDesc.of(CD_int));
    }
    code.istore(count);
    return count;
  }

  /** Runs the body for each element, which it finds in a variable. */
  private static void forEach(
      CodeBuilder code, Layout.Sequence sequence, int count, int index, IntConsumer body) {
    int value = code.allocateLocal(TypeKind.REFERENCE);
    Class<?> needed = ValueEmitter.typeRead(sequence.element());
    if (sequence.container() == Layout.Container.ARRAY) {
      ContainerCode.loop(
          code,
          index,
          count,
          () -> {
            code.aload(0).iload(index).aaload().astore(value);
            body.accept(value);
          });
      return;
    }
    Iteration iteration =
        sequence.container() == Layout.Container.LIST ? Iteration.LIST : Iteration.SET;
    code.aload(0);
    iteration.begin(code);
    iteration.each(code, index, count, needed, value, () -> body.accept(value));
  }
}
