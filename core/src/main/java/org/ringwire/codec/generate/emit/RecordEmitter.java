package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ringwire.codec.generate.layout.EvolvedLayout;
import org.ringwire.codec.generate.layout.Layout;
import org.ringwire.codec.generate.layout.Primitive;

/**
 * Emits the methods of one record: bits for null, then all fixed components behind a single check
 * of bounds, then the variable ones. Each accessor is called once per method.
 */
final class RecordEmitter {
  private static final int THIS_END = 1;
  private static final MethodTypeDesc IN_COMPONENT =
      MethodTypeDesc.of(Names.MESSAGING_EXCEPTION, Names.MESSAGING_EXCEPTION, CD_String);
  private static final MethodTypeDesc CHECK_DEPTH = MethodTypeDesc.of(CD_void, CD_int);

  private final Layout.Product product;
  private final ValueEmitter values;
  private final ClassDesc type;
  private final List<Layout.Component> nullable;

  /** Where the method being emitted reads which component. */
  private final List<ReadRange> ranges = new ArrayList<>();

  private record ReadRange(Label start, Label end, String component) {}

  RecordEmitter(Layout.Product product, ValueEmitter values) {
    this.product = product;
    this.values = values;
    this.type = Names.of(product.type());
    this.nullable = product.nullableComponents();
  }

  /** {@code long lengthOf(Object value, int depth)}. */
  void writeLengthOf(CodeBuilder code) {
    int depth = THIS_END + 1;
    checkDepth(code, "checkDepth", depth);
    List<Layout.Component> variable = product.variableComponents();
    if (variable.isEmpty()) {
      code.loadConstant((long) product.fixedLength()).lreturn();
      return;
    }
    Map<Layout.Component, Integer> locals = loadComponents(code, variable);
    code.loadConstant((long) product.fixedLength());
    for (Layout.Component component : variable) {
      int value = local(locals, component);
      if (component.layout().needsNullBit()) {
        Label present = code.newLabel();
        Label end = code.newLabel();
        code.aload(value).ifnonnull(present).lconst_0().goto_(end).labelBinding(present);
        values.length(code, component.layout(), value, depth);
        code.labelBinding(end);
      } else {
        values.length(code, component.layout(), value, depth);
      }
      code.ladd();
    }
    code.lreturn();
  }

  /** {@code void write(Object value, Writer writer, int depth)}. */
  void writeWrite(CodeBuilder code) {
    int writer = THIS_END + 1;
    int depth = THIS_END + 2;
    checkDepth(code, "checkDepth", depth);
    Map<Layout.Component, Integer> locals = loadComponents(code, product.components());
    if (product.fixedLength() > 0) {
      int base = ValueEmitter.advance(code, Names.WRITER, writer, product.fixedLength());
      int memory = ValueEmitter.memory(code, Names.WRITER, writer);
      storeFixed(code, locals, memory, base);
    }
    for (Layout.Component component : product.variableComponents()) {
      int value = local(locals, component);
      Label end = code.newLabel();
      if (component.layout().needsNullBit()) {
        code.aload(value).ifnull(end);
      }
      values.write(code, component.layout(), value, writer, depth);
      code.labelBinding(end);
    }
    code.return_();
  }

  /** {@code void writeAt(Object value, MemorySegment memory, long offset)}. */
  void writeWriteAt(CodeBuilder code) {
    Map<Layout.Component, Integer> locals = loadComponents(code, product.components());
    storeFixed(code, locals, THIS_END + 1, THIS_END + 2);
    code.return_();
  }

  private void storeFixed(
      CodeBuilder code, Map<Layout.Component, Integer> locals, int memory, int base) {
    int[] bits = new int[product.nullBytes()];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = code.allocateLocal(TypeKind.INT);
      code.iconst_0().istore(bits[i]);
    }
    storeFixedComponents(code, locals, bits, memory, base);
    for (Layout.Component component : product.variableComponents()) {
      if (component.layout().needsNullBit()) {
        Label present = code.newLabel();
        code.aload(local(locals, component)).ifnonnull(present);
        setBit(code, bits, component);
        code.labelBinding(present);
      }
    }
    storeBits(code, bits, memory, base);
  }

  private void storeFixedComponents(
      CodeBuilder code, Map<Layout.Component, Integer> locals, int[] bits, int memory, int base) {
    List<Layout.Component> fixed = product.fixedComponents();
    long offset = bits.length;
    int next = 0;
    while (next < fixed.size()) {
      int shared = WordEmitter.shared(fixed, next);
      List<Layout.Component> group = fixed.subList(next, next + shared);
      if (shared > 1) {
        storeWord(code, locals, group, memory, base, offset);
      } else {
        storeMaybeNull(code, locals, group.getFirst(), bits, memory, base, offset);
      }
      offset += group.stream().mapToInt(c -> c.layout().width()).sum();
      next += shared;
    }
  }

  private static void storeWord(
      CodeBuilder code,
      Map<Layout.Component, Integer> locals,
      List<Layout.Component> group,
      int memory,
      int base,
      long offset) {
    int[] variables = group.stream().mapToInt(c -> local(locals, c)).toArray();
    code.aload(memory).lload(base).loadConstant(offset).ladd();
    WordEmitter.pack(code, group, variables);
    code.invokestatic(
        Names.FIXED, "putLong", MethodTypeDesc.of(CD_void, Names.MEMORY, CD_long, CD_long));
  }

  private void storeMaybeNull(
      CodeBuilder code,
      Map<Layout.Component, Integer> locals,
      Layout.Component component,
      int[] bits,
      int memory,
      int base,
      long offset) {
    int value = local(locals, component);
    Layout layout = component.layout();
    Label end = code.newLabel();
    if (layout.needsNullBit()) {
      Label present = code.newLabel();
      code.aload(value).ifnonnull(present);
      setBit(code, bits, component);
      code.aload(memory).lload(base).loadConstant(offset).ladd();
      code.loadConstant((long) layout.width());
      code.invokestatic(
          Names.FIXED, "zero", MethodTypeDesc.of(CD_void, Names.MEMORY, CD_long, CD_long));
      code.goto_(end).labelBinding(present);
    }
    values.storeAt(code, layout, value, memory, base, offset);
    code.labelBinding(end);
  }

  private void setBit(CodeBuilder code, int[] bits, Layout.Component component) {
    int index = nullable.indexOf(component);
    int local = bits[index / 8];
    code.iload(local).loadConstant(1 << (index % 8)).ior().istore(local);
  }

  private static void storeBits(CodeBuilder code, int[] bits, int memory, int base) {
    for (int i = 0; i < bits.length; i++) {
      code.aload(memory).lload(base).loadConstant((long) i).ladd().iload(bits[i]).i2b();
      code.invokestatic(
          Names.FIXED,
          "putByte",
          MethodTypeDesc.of(CD_void, Names.MEMORY, CD_long, Names.of(byte.class)));
    }
  }

  /** {@code Object read(Reader reader, int depth)}. */
  void writeRead(CodeBuilder code) {
    int reader = THIS_END;
    int depth = THIS_END + 1;
    checkDepth(code, "checkReadDepth", depth);
    Map<Layout.Component, Integer> locals = new HashMap<>();
    int[] bits = new int[0];
    if (product.fixedLength() > 0) {
      int base = ValueEmitter.advance(code, Names.READER, reader, product.fixedLength());
      int memory = ValueEmitter.memory(code, Names.READER, reader);
      bits = loadFixed(code, locals, memory, base);
    }
    for (Layout.Component component : product.variableComponents()) {
      if (component.layout() instanceof EvolvedLayout.Skipped skipped) {
        skip(code, component, skipped, bits, reader, depth);
        continue;
      }
      loadMaybeNull(
          code,
          locals,
          component,
          bits,
          () -> values.read(code, component.layout(), reader, depth));
    }
    construct(code, locals);
    nameComponents(code);
  }

  /** {@code Object readAt(MemorySegment memory, long offset)}. */
  void writeReadAt(CodeBuilder code) {
    Map<Layout.Component, Integer> locals = new HashMap<>();
    loadFixed(code, locals, THIS_END, THIS_END + 1);
    construct(code, locals);
    nameComponents(code);
  }

  private int[] loadFixed(
      CodeBuilder code, Map<Layout.Component, Integer> locals, int memory, int base) {
    int[] bits = loadBits(code, memory, base);
    List<Layout.Component> fixed = product.fixedComponents();
    long offset = bits.length;
    int next = 0;
    while (next < fixed.size()) {
      int shared = WordEmitter.shared(fixed, next);
      List<Layout.Component> group = fixed.subList(next, next + shared);
      if (shared > 1) {
        loadWord(code, locals, group, memory, base, offset);
      } else if (!(group.getFirst().layout() instanceof EvolvedLayout.Skipped)) {
        Layout.Component component = group.getFirst();
        long at = offset;
        loadMaybeNull(
            code,
            locals,
            component,
            bits,
            () -> values.loadAt(code, component.layout(), memory, base, at));
      }
      offset += group.stream().mapToInt(c -> c.layout().width()).sum();
      next += shared;
    }
    return bits;
  }

  private static void loadWord(
      CodeBuilder code,
      Map<Layout.Component, Integer> locals,
      List<Layout.Component> group,
      int memory,
      int base,
      long offset) {
    code.aload(memory).lload(base).loadConstant(offset).ladd();
    code.invokestatic(Names.FIXED, "getLong", MethodTypeDesc.of(CD_long, Names.MEMORY, CD_long));
    int word = code.allocateLocal(TypeKind.LONG);
    code.lstore(word);
    int shift = 0;
    for (Layout.Component component : group) {
      Primitive primitive = WordEmitter.primitiveOf(component);
      WordEmitter.unpack(code, primitive, word, shift);
      int local = code.allocateLocal(primitive.kind());
      code.storeLocal(primitive.kind(), local);
      locals.put(component, local);
      shift += primitive.width() * Byte.SIZE;
    }
  }

  private int[] loadBits(CodeBuilder code, int memory, int base) {
    int[] bits = new int[product.nullBytes()];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = code.allocateLocal(TypeKind.INT);
      code.aload(memory).lload(base).loadConstant((long) i).ladd();
      code.invokestatic(
          Names.FIXED, "getUnsignedByte", MethodTypeDesc.of(CD_int, Names.MEMORY, CD_long));
      code.istore(bits[i]);
      int used = nullable.size() - i * 8;
      if (used < 8) {
        code.iload(bits[i]).loadConstant((1 << used) - 1);
        code.invokestatic(Names.CODEC, "checkNullBits", MethodTypeDesc.of(CD_void, CD_int, CD_int));
      }
    }
    return bits;
  }

  private void loadMaybeNull(
      CodeBuilder code,
      Map<Layout.Component, Integer> locals,
      Layout.Component component,
      int[] bits,
      Runnable load) {
    Class<?> declared = component.declaredType();
    Layout layout = component.layout();
    Label end = code.newLabel();
    if (layout.needsNullBit()) {
      int index = nullable.indexOf(component);
      Label present = code.newLabel();
      code.iload(bits[index / 8]).loadConstant(1 << (index % 8)).iand().ifeq(present);
      code.aconst_null().goto_(end).labelBinding(present);
    }
    Label start = code.newBoundLabel();
    load.run();
    if (!(layout instanceof Layout.Scalar)) {
      ranges.add(new ReadRange(start, code.newBoundLabel(), component.name()));
    }
    ValueEmitter.cast(code, ValueEmitter.typeRead(layout), declared);
    code.labelBinding(end);
    TypeKind kind = TypeKind.from(declared);
    int local = code.allocateLocal(kind);
    code.storeLocal(kind, local);
    locals.put(component, local);
  }

  /** Passes over a variable component that the record here does not have. */
  private void skip(
      CodeBuilder code,
      Layout.Component component,
      EvolvedLayout.Skipped skipped,
      int[] bits,
      int reader,
      int depth) {
    Label end = code.newLabel();
    if (skipped.needsNullBit()) {
      int index = nullable.indexOf(component);
      code.iload(bits[index / 8]).loadConstant(1 << (index % 8)).iand().ifne(end);
    }
    Label start = code.newBoundLabel();
    values.skip(code, skipped, reader, depth);
    ranges.add(new ReadRange(start, code.newBoundLabel(), component.name()));
    code.labelBinding(end);
  }

  /**
   * After the code of a method that reads: what goes wrong in a component gets its name. It is
   * found by the place of the instruction, so that reading costs no more.
   */
  private void nameComponents(CodeBuilder code) {
    for (ReadRange range : ranges) {
      Label handler = code.newBoundLabel();
      code.exceptionCatch(range.start(), range.end(), handler, Names.MESSAGING_EXCEPTION);
      code.loadConstant(range.component());
      code.invokestatic(Names.CODEC, "inComponent", IN_COMPONENT).athrow();
    }
    ranges.clear();
  }

  private void construct(CodeBuilder code, Map<Layout.Component, Integer> locals) {
    code.new_(type).dup();
    List<Layout.Argument> arguments = product.arguments();
    for (int i = 0; i < arguments.size(); i++) {
      Layout.Argument argument = arguments.get(i);
      Layout.Component source = argument.source();
      if (source != null) {
        code.loadLocal(TypeKind.from(argument.type()), local(locals, source));
      } else {
        values.absent(code, argument, i);
      }
    }
    List<ClassDesc> parameters = arguments.stream().map(a -> Names.of(a.type())).toList();
    code.invokespecial(type, INIT_NAME, MethodTypeDesc.of(Names.of(void.class), parameters));
    code.areturn();
  }

  /** Calls the accessors on the value in the first parameter. */
  private Map<Layout.Component, Integer> loadComponents(
      CodeBuilder code, List<Layout.Component> components) {
    Map<Layout.Component, Integer> locals = new HashMap<>();
    if (components.isEmpty()) {
      return locals;
    }
    int record = code.allocateLocal(TypeKind.REFERENCE);
    code.aload(THIS_END).checkcast(type).astore(record);
    for (Layout.Component component : components) {
      Class<?> declared = component.declaredType();
      code.aload(record);
      code.invokevirtual(type, component.name(), MethodTypeDesc.of(Names.of(declared)));
      ValueEmitter.cast(code, declared, ValueEmitter.typeRead(component.layout()));
      TypeKind kind = TypeKind.from(declared);
      int local = code.allocateLocal(kind);
      code.storeLocal(kind, local);
      locals.put(component, local);
    }
    return locals;
  }

  private void checkDepth(CodeBuilder code, String method, int depth) {
    if (product.isRecursive()) {
      code.iload(depth).invokestatic(Names.CODEC, method, CHECK_DEPTH);
    }
  }

  private static int local(Map<Layout.Component, Integer> locals, Layout.Component component) {
    Integer local = locals.get(component);
    if (local == null) {
      throw new IllegalStateException("component not loaded: " + component.name());
    }
    return local;
  }
}
