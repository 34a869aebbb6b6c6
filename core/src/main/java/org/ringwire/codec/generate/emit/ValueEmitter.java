package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_short;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Array;
import org.ringwire.codec.Lengths;
import org.ringwire.codec.generate.layout.EvolvedLayout;
import org.ringwire.codec.generate.layout.Layout;
import org.ringwire.codec.generate.layout.Primitive;

/**
 * Emits the code for one value inside of a method: its length, writing and reading it. Values come
 * from local variables and are left on the stack. Containers are left to methods of their own, see
 * {@link ContainerEmitter}, so that no method grows beyond what the JIT compiles.
 */
final class ValueEmitter {
  private static final MethodTypeDesc NEW_ARRAY = MethodTypeDesc.of(CD_Object, CD_Class, CD_int);

  private final CodecClass owner;

  ValueEmitter(CodecClass owner) {
    this.owner = owner;
  }

  /** Writes a value that is not null at a fixed offset from {@code base}. */
  void storeAt(CodeBuilder code, Layout layout, int value, int memory, int base, long offset) {
    switch (layout) {
      case Layout.Scalar(Primitive primitive, boolean boxed) -> {
        loadAddress(code, memory, base, offset);
        loadScalar(code, primitive, boxed, value);
        code.invokestatic(
            Names.FIXED,
            "put" + primitive.word(),
            MethodTypeDesc.of(CD_void, Names.MEMORY, CD_long, Names.of(primitive.type())));
      }
      case Layout.Constant constant -> storeConstant(code, constant, value, memory, base, offset);
      case Layout.Value kind -> {
        loadAddress(code, memory, base, offset);
        code.aload(value);
        code.invokestatic(
            Names.VALUES,
            "put" + word(kind),
            MethodTypeDesc.of(CD_void, Names.MEMORY, CD_long, Names.of(kind.type())));
      }
      case Layout.Product product -> {
        owner.loadConstant(code, product);
        code.aload(value);
        loadAddress(code, memory, base, offset);
        code.invokevirtual(Names.CODEC, "writeAt", Names.WRITE_AT);
      }
      case Layout.Maybe maybe -> {
        code.aload(value);
        loadAddress(code, memory, base, offset);
        owner.invokePart(code, PartMethod.STORE_AT, maybe);
      }
      default -> throw notFixed(layout);
    }
  }

  private void storeConstant(
      CodeBuilder code, Layout.Constant constant, int value, int memory, int base, long offset) {
    loadAddress(code, memory, base, offset);
    owner.loadConstant(code, constant);
    code.aload(value);
    code.invokevirtual(Names.ENUM_INDEX, "indexOf", MethodTypeDesc.of(CD_short, CD_Object));
    Primitive primitive = constant.width() == 1 ? Primitive.BYTE : Primitive.SHORT;
    code.conversion(TypeKind.INT, primitive.kind());
    code.invokestatic(
        Names.FIXED,
        "put" + primitive.word(),
        MethodTypeDesc.of(CD_void, Names.MEMORY, CD_long, Names.of(primitive.type())));
  }

  private static void loadScalar(CodeBuilder code, Primitive primitive, boolean boxed, int value) {
    if (boxed) {
      code.aload(value);
      code.invokevirtual(
          Names.of(primitive.boxedType()),
          primitive.type().getName() + "Value",
          MethodTypeDesc.of(Names.of(primitive.type())));
    } else {
      code.loadLocal(primitive.kind(), value);
    }
  }

  /** Reads a value at a fixed offset from {@code base}. */
  void loadAt(CodeBuilder code, Layout layout, int memory, int base, long offset) {
    switch (layout) {
      case Layout.Scalar(Primitive primitive, boolean boxed) -> {
        loadPrimitive(code, primitive, memory, base, offset);
        box(code, primitive, boxed);
      }
      case EvolvedLayout.Widened widened -> {
        loadPrimitive(code, widened.from(), memory, base, offset);
        widen(code, widened);
      }
      case Layout.Constant constant -> {
        owner.loadConstant(code, constant);
        loadAddress(code, memory, base, offset);
        code.invokestatic(
            Names.FIXED,
            constant.width() == 1 ? "getUnsignedByte" : "getUnsignedShort",
            MethodTypeDesc.of(CD_int, Names.MEMORY, CD_long));
        code.invokevirtual(Names.ENUM_INDEX, "constantAt", MethodTypeDesc.of(CD_Object, CD_int));
      }
      case Layout.Value kind -> {
        loadAddress(code, memory, base, offset);
        code.invokestatic(
            Names.VALUES,
            "get" + word(kind),
            MethodTypeDesc.of(Names.of(kind.type()), Names.MEMORY, CD_long));
      }
      case Layout.Product product -> {
        owner.loadConstant(code, product);
        loadAddress(code, memory, base, offset);
        code.invokevirtual(Names.CODEC, "readAt", Names.READ_AT);
      }
      case Layout.Maybe maybe -> {
        loadAddress(code, memory, base, offset);
        owner.invokePart(code, PartMethod.LOAD_AT, maybe);
      }
      default -> throw notFixed(layout);
    }
  }

  private static void loadPrimitive(
      CodeBuilder code, Primitive primitive, int memory, int base, long offset) {
    loadAddress(code, memory, base, offset);
    code.invokestatic(
        Names.FIXED,
        "get" + primitive.word(),
        MethodTypeDesc.of(Names.of(primitive.type()), Names.MEMORY, CD_long));
  }

  private static void widen(CodeBuilder code, EvolvedLayout.Widened widened) {
    code.conversion(widened.from().kind(), widened.to().kind());
    box(code, widened.to(), widened.boxed());
  }

  private static void box(CodeBuilder code, Primitive primitive, boolean boxed) {
    if (boxed) {
      ClassDesc box = Names.of(primitive.boxedType());
      code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, Names.of(primitive.type())));
    }
  }

  /** Passes over a variable value that nothing here takes, as deep as if it was read. */
  void skip(CodeBuilder code, EvolvedLayout.Skipped skipped, int reader, int depth) {
    owner.loadConstant(code, skipped.text(), Names.SKIPPER, skipped::skipper);
    code.aload(reader);
    loadNextDepth(code, depth);
    code.invokevirtual(Names.SKIPPER, "skip", Names.SKIP);
  }

  /** Leaves what stands for a component that the writer does not have. */
  void absent(CodeBuilder code, Layout.Argument argument, int index) {
    Object value = argument.absent();
    TypeKind kind = TypeKind.from(argument.type());
    if (kind == TypeKind.REFERENCE) {
      if (value == null) {
        code.aconst_null();
      } else {
        owner.loadConstant(code, "default " + index, CD_Object, () -> value);
        code.checkcast(Names.of(argument.type()));
      }
      return;
    }
    switch (value) {
      case null -> zero(code, kind);
      case Boolean b -> code.loadConstant(b ? 1 : 0);
      case Character c -> code.loadConstant((int) c);
      case Byte b -> code.loadConstant((int) b);
      case Short s -> code.loadConstant((int) s);
      default -> code.loadConstant((ConstantDesc) value);
    }
  }

  private static void zero(CodeBuilder code, TypeKind kind) {
    switch (kind.asLoadable()) {
      case LONG -> code.lconst_0();
      case FLOAT -> code.fconst_0();
      case DOUBLE -> code.dconst_0();
      default -> code.iconst_0();
    }
  }

  /** Leaves the length of a variable value as a long. */
  void length(CodeBuilder code, Layout layout, int value, int depth) {
    switch (layout) {
      case Layout.CompactNumber(Primitive primitive) -> {
        code.loadLocal(primitive.kind(), value);
        code.invokestatic(
            Names.of(Lengths.class),
            "ofCompact" + primitive.word(),
            MethodTypeDesc.of(CD_int, Names.of(primitive.type())));
        code.i2l();
      }
      case Layout.Value kind -> {
        code.aload(value);
        code.invokestatic(
            Names.VALUES,
            "lengthOf" + word(kind),
            MethodTypeDesc.of(CD_long, Names.of(kind.type())));
      }
      case Layout.PrimitiveArray array -> {
        code.aload(value);
        code.invokestatic(
            Names.PRIMITIVE_ARRAYS, "length", MethodTypeDesc.of(CD_long, Names.of(array.type())));
      }
      case Layout.Product _, Layout.Choice _ -> {
        owner.loadConstant(code, layout);
        code.aload(value);
        loadNextDepth(code, depth);
        code.invokevirtual(ownerOf(layout), "lengthOf", Names.LENGTH_OF);
      }
      default -> {
        code.aload(value).iload(depth);
        owner.invokePart(code, PartMethod.LENGTH, layout);
      }
    }
  }

  /** Writes a variable value. */
  void write(CodeBuilder code, Layout layout, int value, int writer, int depth) {
    switch (layout) {
      case Layout.CompactNumber(Primitive primitive) -> {
        code.aload(writer);
        code.loadLocal(primitive.kind(), value);
        code.invokevirtual(
            Names.WRITER,
            "putCompact" + primitive.word(),
            MethodTypeDesc.of(CD_void, Names.of(primitive.type())));
      }
      case Layout.Value.STRING -> {
        code.aload(writer).aload(value);
        code.invokevirtual(
            Names.WRITER, "putNullableString", MethodTypeDesc.of(CD_void, Names.of(String.class)));
      }
      case Layout.Value kind -> {
        code.aload(writer).aload(value);
        code.invokestatic(
            Names.VALUES,
            "put" + word(kind),
            MethodTypeDesc.of(CD_void, Names.WRITER, Names.of(kind.type())));
      }
      case Layout.PrimitiveArray array -> {
        code.aload(writer).aload(value);
        code.invokestatic(
            Names.PRIMITIVE_ARRAYS,
            "put" + plural(array.primitive()),
            MethodTypeDesc.of(CD_void, Names.WRITER, Names.of(array.type())));
      }
      case Layout.Product _, Layout.Choice _ -> {
        owner.loadConstant(code, layout);
        code.aload(value).aload(writer);
        loadNextDepth(code, depth);
        code.invokevirtual(ownerOf(layout), "write", Names.WRITE);
      }
      default -> {
        code.aload(value).aload(writer).iload(depth);
        owner.invokePart(code, PartMethod.WRITE, layout);
      }
    }
  }

  /** Reads a variable value. */
  void read(CodeBuilder code, Layout layout, int reader, int depth) {
    switch (layout) {
      case Layout.CompactNumber(Primitive primitive) -> readCompact(code, primitive, reader);
      case EvolvedLayout.Widened widened -> {
        readCompact(code, widened.from(), reader);
        widen(code, widened);
      }
      case Layout.Value.STRING -> {
        code.aload(reader);
        code.invokevirtual(
            Names.READER, "getNullableString", MethodTypeDesc.of(Names.of(String.class)));
      }
      case Layout.Value kind -> {
        code.aload(reader);
        code.invokestatic(
            Names.VALUES,
            "get" + word(kind),
            MethodTypeDesc.of(Names.of(kind.type()), Names.READER));
      }
      case Layout.PrimitiveArray array -> {
        code.aload(reader);
        code.invokestatic(
            Names.PRIMITIVE_ARRAYS,
            "get" + plural(array.primitive()),
            MethodTypeDesc.of(Names.of(array.type()), Names.READER));
      }
      case Layout.Product _, Layout.Choice _ -> {
        owner.loadConstant(code, layout);
        code.aload(reader);
        loadNextDepth(code, depth);
        code.invokevirtual(ownerOf(layout), "read", Names.READ);
      }
      default -> {
        code.aload(reader).iload(depth);
        owner.invokePart(code, PartMethod.READ, layout);
      }
    }
  }

  private static void readCompact(CodeBuilder code, Primitive primitive, int reader) {
    code.aload(reader);
    code.invokevirtual(
        Names.READER,
        "getCompact" + primitive.word(),
        MethodTypeDesc.of(Names.of(primitive.type())));
  }

  /** Writes a value that is not null, fixed or not, where the writer stands. */
  void writeHere(CodeBuilder code, Layout layout, int value, int writer, int depth) {
    if (!layout.isFixed()) {
      write(code, layout, value, writer, depth);
      return;
    }
    int base = advance(code, Names.WRITER, writer, layout.width());
    int memory = memory(code, Names.WRITER, writer);
    storeAt(code, layout, value, memory, base, 0);
  }

  /** Reads a value, fixed or not, where the reader stands. */
  void readHere(CodeBuilder code, Layout layout, int reader, int depth) {
    if (!layout.isFixed()) {
      read(code, layout, reader, depth);
      return;
    }
    int base = advance(code, Names.READER, reader, layout.width());
    int memory = memory(code, Names.READER, reader);
    loadAt(code, layout, memory, base, 0);
  }

  /** Advances a reader or writer by a constant; the offset goes to a new variable. */
  static int advance(CodeBuilder code, ClassDesc type, int cursor, long length) {
    int base = code.allocateLocal(TypeKind.LONG);
    code.aload(cursor).loadConstant(length);
    code.invokevirtual(type, "advance", Names.ADVANCE);
    code.lstore(base);
    return base;
  }

  /** The memory of a reader or writer, in a new variable. */
  static int memory(CodeBuilder code, ClassDesc type, int cursor) {
    int memory = code.allocateLocal(TypeKind.REFERENCE);
    code.aload(cursor).invokevirtual(type, "memory", Names.GET_MEMORY);
    code.astore(memory);
    return memory;
  }

  /** Casts the value on the stack, of a layout's own type, to what a variable needs. */
  static void cast(CodeBuilder code, Class<?> from, Class<?> to) {
    if (!to.isAssignableFrom(from)) {
      code.checkcast(Names.of(to));
    }
  }

  /**
   * The type that reading leaves on the stack, and that a variable must have for writing. No type
   * of an application, also of arrays: a generic record, in whose place the code is, may not be
   * able to reach the types that it is used with.
   */
  static Class<?> typeRead(Layout layout) {
    return switch (layout) {
      case Layout.Product _, Layout.Choice _, Layout.Constant _ -> Object.class;
      case Layout.Sequence sequence when sequence.container() == Layout.Container.ARRAY ->
          typeRead(sequence.element()).arrayType();
      default -> layout.type();
    };
  }

  /**
   * Leaves an array for the elements of a sequence, of the length on the stack. Of a type that the
   * code cannot name it is made by the class itself.
   */
  void newArray(CodeBuilder code, Layout.Sequence sequence) {
    Class<?> component = sequence.type().componentType();
    Class<?> named = typeRead(sequence.element());
    if (component == named || owner.isBeside(component)) {
      code.anewarray(Names.of(component));
      return;
    }
    int length = code.allocateLocal(TypeKind.INT);
    code.istore(length);
    owner.loadConstant(code, "elements of " + sequence.text(), CD_Class, () -> component);
    code.iload(length).invokestatic(Names.of(Array.class), "newInstance", NEW_ARRAY);
    code.checkcast(Names.of(named.arrayType()));
  }

  private static ClassDesc ownerOf(Layout layout) {
    return layout instanceof Layout.Choice ? Names.CHOICE : Names.CODEC;
  }

  private static void loadNextDepth(CodeBuilder code, int depth) {
    code.iload(depth).iconst_1().iadd();
  }

  private static void loadAddress(CodeBuilder code, int memory, int base, long offset) {
    code.aload(memory).lload(base);
    if (offset != 0) {
      code.loadConstant(offset).ladd();
    }
  }

  private static String plural(Primitive primitive) {
    return primitive.word() + "s";
  }

  private static String word(Layout.Value kind) {
    return switch (kind) {
      case STRING -> "Text";
      case BYTES -> "Bytes";
      case UUID_VALUE -> "Uuid";
      case INSTANT -> "Instant";
      case DURATION -> "Duration";
    };
  }

  private static IllegalStateException notFixed(Layout layout) {
    return new IllegalStateException("not a fixed layout: " + layout.text());
  }
}
