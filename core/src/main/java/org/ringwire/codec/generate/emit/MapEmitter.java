package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import java.util.function.IntConsumer;
import org.ringwire.codec.generate.layout.Layout;
import org.ringwire.codec.generate.layout.Reach;

/** Emits the bodies of the {@link PartMethod} methods of maps. */
final class MapEmitter {
  private static final MethodTypeDesc NEW_MAP =
      MethodTypeDesc.of(Names.ENTRIES, CD_int, CD_boolean, Names.KEY_BOUND);
  private static final MethodTypeDesc END =
      MethodTypeDesc.of(Names.MAP, Names.ENTRIES, Names.READER);
  private static final MethodTypeDesc END_WEIGHED =
      MethodTypeDesc.of(Names.MAP, Names.ENTRIES, Names.KEY_BOUND, Names.READER);

  private final ValueEmitter values;
  private final ElementEmitter parts;

  MapEmitter(ValueEmitter values) {
    this.values = values;
    parts = new ElementEmitter(values);
  }

  void emit(CodeBuilder code, PartMethod part, Layout.Dictionary map) {
    switch (part) {
      case LENGTH -> length(code, map);
      case WRITE -> write(code, map);
      case READ -> read(code, map);
      default -> throw new IllegalStateException("maps are not fixed");
    }
  }

  /** {@code long length(Map map, int depth)}. */
  private void length(CodeBuilder code, Layout.Dictionary map) {
    ContainerCode.returnLengthOfNull(code);
    int count = count(code);
    int total = code.allocateLocal(TypeKind.LONG);
    ContainerCode.lengthOfCount(code, count);
    for (Layout part : new Layout[] {map.key(), map.value()}) {
      if (part.needsNullBit()) {
        ContainerCode.nullBytes(code, count);
        code.ladd();
      }
    }
    code.lstore(total);
    int index = code.allocateLocal(TypeKind.INT);
    forEach(
        code,
        index,
        count,
        entry -> {
          parts.addLength(code, map.key(), load(code, entry, "getKey", map.key()), total);
          parts.addLength(code, map.value(), load(code, entry, "getValue", map.value()), total);
        });
    code.lload(total).lreturn();
  }

  /** {@code void write(Map map, Writer writer, int depth)}. */
  private void write(CodeBuilder code, Layout.Dictionary map) {
    int writer = 1;
    ContainerCode.returnWrittenNull(code, writer);
    int count = count(code);
    ContainerCode.putCount(code, writer, count);
    int keyNulls = beginNulls(code, map.key(), count);
    int valueNulls = beginNulls(code, map.value(), count);
    int index = code.allocateLocal(TypeKind.INT);
    forEach(
        code,
        index,
        count,
        entry -> {
          parts.write(code, map.key(), load(code, entry, "getKey", map.key()), keyNulls, index);
          int value = load(code, entry, "getValue", map.value());
          parts.write(code, map.value(), value, valueNulls, index);
        });
    code.return_();
  }

  private static int beginNulls(CodeBuilder code, Layout layout, int count) {
    int nulls = code.allocateLocal(TypeKind.LONG);
    if (layout.needsNullBit()) {
      ContainerCode.beginNulls(code, 1, count, nulls);
    }
    return nulls;
  }

  /** {@code Map read(Reader reader, int depth)}. */
  private void read(CodeBuilder code, Layout.Dictionary map) {
    int count = code.allocateLocal(TypeKind.INT);
    int bitmaps = (map.key().needsNullBit() ? 1 : 0) + (map.value().needsNullBit() ? 1 : 0);
    int minimum = map.key().minimum() + map.value().minimum();
    ContainerCode.readCount(code, count, minimum, bitmaps);
    int memory = ValueEmitter.memory(code, Names.READER, 0);
    int keyNulls = readNulls(code, map.key(), count, memory);
    int valueNulls = readNulls(code, map.value(), count, memory);
    int result = code.allocateLocal(TypeKind.REFERENCE);
    boolean grows = Reach.isNesting(map);
    boolean weighs = KeyEmitter.weighs(map.key());
    int bound = weighs ? KeyEmitter.begin(code, map.key(), count) : -1;
    code.iload(count).loadConstant(grows ? 1 : 0);
    if (weighs) {
      code.aload(bound);
    } else {
      code.aconst_null();
    }
    code.invokestatic(Names.SEQUENCES, "newMap", NEW_MAP);
    code.astore(result);
    int index = code.allocateLocal(TypeKind.INT);
    ContainerCode.loop(
        code,
        index,
        count,
        () -> {
          code.aload(result);
          readPart(code, map.key(), memory, keyNulls, index);
          if (weighs) {
            code.dup();
            KeyEmitter.weigh(code, bound);
          }
          readPart(code, map.value(), memory, valueNulls, index);
          code.invokestatic(
              Names.SEQUENCES,
              "putEntry",
              MethodTypeDesc.of(CD_void, Names.ENTRIES, CD_Object, CD_Object));
          if (weighs) {
            KeyEmitter.next(code, bound);
          }
        });
    code.aload(result);
    if (weighs) {
      code.aload(bound).aload(0);
      code.invokestatic(Names.SEQUENCES, "endWeighedMap", END_WEIGHED);
    } else {
      code.aload(0).invokestatic(Names.SEQUENCES, "endMap", END);
    }
    code.areturn();
  }

  private static int readNulls(CodeBuilder code, Layout layout, int count, int memory) {
    int nulls = code.allocateLocal(TypeKind.LONG);
    if (layout.needsNullBit()) {
      code.aload(0);
      ContainerCode.nullBytes(code, count);
      code.invokevirtual(Names.READER, "advance", Names.ADVANCE).lstore(nulls);
      code.aload(memory).lload(nulls).iload(count);
      code.invokestatic(Names.SEQUENCES, "anyNull", ContainerCode.TEST_NULL).pop();
    }
    return nulls;
  }

  private void readPart(CodeBuilder code, Layout layout, int memory, int nulls, int index) {
    Label end = code.newLabel();
    if (layout.needsNullBit()) {
      Label present = code.newLabel();
      code.aload(memory).lload(nulls).iload(index);
      code.invokestatic(Names.SEQUENCES, "isNull", ContainerCode.TEST_NULL).ifeq(present);
      code.aconst_null().goto_(end).labelBinding(present);
    }
    values.readHere(code, layout, 0, 1);
    code.labelBinding(end);
  }

  private static int count(CodeBuilder code) {
    int count = code.allocateLocal(TypeKind.INT);
    code.aload(0).invokeinterface(Names.MAP, "size", MethodTypeDesc.of(CD_int)).istore(count);
    return count;
  }

  private static int load(CodeBuilder code, int entry, String method, Layout layout) {
    int value = code.allocateLocal(TypeKind.REFERENCE);
    code.aload(entry).invokeinterface(Names.ENTRY, method, MethodTypeDesc.of(CD_Object));
    ValueEmitter.cast(code, Object.class, ValueEmitter.typeRead(layout));
    code.astore(value);
    return value;
  }

  private static void forEach(CodeBuilder code, int index, int count, IntConsumer body) {
    int entry = code.allocateLocal(TypeKind.REFERENCE);
    code.aload(0);
    code.invokeinterface(Names.MAP, "entrySet", MethodTypeDesc.of(Names.SET));
    Iteration.SET.begin(code);
    Iteration.SET.each(code, index, count, Map.Entry.class, entry, () -> body.accept(entry));
  }
}
