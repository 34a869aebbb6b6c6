package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_List;
import static java.lang.constant.ConstantDescs.CD_MethodHandles;
import static java.lang.constant.ConstantDescs.CD_MethodHandles_Lookup;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ringwire.codec.generate.layout.Layout;
import org.ringwire.codec.runtime.RecordCodec;

/**
 * Writes the class file of the codec of one record. The class extends {@link RecordCodec}, is a
 * nest mate of the record, and gets the objects that it needs - codecs of other records, indexes of
 * enums - as class data, which it keeps in static final fields: constants for the JIT.
 */
public final class CodecClass {
  private static final String CONSTANT_PREFIX = "C";

  private final ClassDesc self;
  private final Layout.Product product;
  private final Function<Layout, Object> constantOf;

  private final List<ClassDesc> constantTypes = new ArrayList<>();
  private final List<Object> classData = new ArrayList<>();
  private final Map<String, Integer> constantNumbers = new HashMap<>();
  private final Map<String, Integer> partNumbers = new HashMap<>();
  private final Set<String> partsRequested = new HashSet<>();
  private final Queue<Consumer<ClassBuilder>> pendingParts = new ArrayDeque<>();

  private final ValueEmitter values = new ValueEmitter(this);
  private final ContainerEmitter containers = new ContainerEmitter(values);

  /**
   * Prepares a class.
   *
   * @param product the record
   * @param constantOf yields the object that a record, sealed interface or enum is handled with
   */
  public CodecClass(Layout.Product product, Function<Layout, Object> constantOf) {
    this.self = ClassDesc.of(product.type().getName() + "$RingwireCodec");
    this.product = product;
    this.constantOf = constantOf;
  }

  /** The objects for {@code MethodHandles.classData}, after {@link #bytes}. */
  public List<Object> classData() {
    return List.copyOf(classData);
  }

  /** The class file of a codec. */
  public byte[] bytes() {
    return bytes(this::writeClass);
  }

  /** The class file of a codec that only reads. */
  public byte[] evolvedBytes() {
    return bytes(this::writeEvolvedClass);
  }

  private byte[] bytes(Consumer<ClassBuilder> body) {
    ClassLoader loader = product.type().getClassLoader();
    ClassHierarchyResolver resolver =
        ClassHierarchyResolver.ofClassLoading(
            loader == null ? ClassLoader.getSystemClassLoader() : loader);
    ClassFile.ClassHierarchyResolverOption hierarchy =
        ClassFile.ClassHierarchyResolverOption.of(
            resolver.orElse(ClassHierarchyResolver.defaultResolver()));
    return ClassFile.of(hierarchy).build(self, body);
  }

  private void writeClass(ClassBuilder builder) {
    builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
    builder.withSuperclass(Names.CODEC);
    RecordEmitter record = new RecordEmitter(product, values);
    method(builder, INIT_NAME, MTD_void, CodecClass::writeConstructor);
    method(builder, "length", Names.LENGTH, this::writeLength);
    method(builder, "encode", Names.ENCODE, this::writeEncode);
    method(builder, "lengthOf", Names.LENGTH_OF, record::writeLengthOf);
    method(builder, "write", Names.WRITE, record::writeWrite);
    if (product.isFixed()) {
      method(builder, "writeAt", Names.WRITE_AT, record::writeWriteAt);
    }
    writeReading(builder, record);
  }

  /** A class that only reads, for what another version of the record has written. */
  private void writeEvolvedClass(ClassBuilder builder) {
    builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
    builder.withSuperclass(Names.EVOLVED);
    method(
        builder,
        INIT_NAME,
        MTD_void,
        code -> code.aload(0).invokespecial(Names.EVOLVED, INIT_NAME, MTD_void).return_());
    writeReading(builder, new RecordEmitter(product, values));
  }

  private void writeReading(ClassBuilder builder, RecordEmitter record) {
    method(builder, "decode", Names.DECODE, this::writeDecode);
    method(builder, "read", Names.READ, record::writeRead);
    if (product.isFixed()) {
      method(builder, "readAt", Names.READ_AT, record::writeReadAt);
    }
    while (!pendingParts.isEmpty()) {
      pendingParts.remove().accept(builder);
    }
    writeConstants(builder);
  }

  private static void method(
      ClassBuilder builder, String name, MethodTypeDesc type, Consumer<CodeBuilder> body) {
    builder.withMethodBody(name, type, ClassFile.ACC_PUBLIC, body);
  }

  private static void writeConstructor(CodeBuilder code) {
    code.aload(0).invokespecial(Names.CODEC, INIT_NAME, MTD_void).return_();
  }

  private void writeLength(CodeBuilder code) {
    code.aload(0).aload(1).iconst_0();
    code.invokevirtual(self, "lengthOf", Names.LENGTH_OF);
    code.invokestatic(Names.CODEC, "checkedLength", MethodTypeDesc.of(CD_int, CD_long)).ireturn();
  }

  private void writeEncode(CodeBuilder code) {
    code.aload(0).aload(1).aload(2).iconst_0();
    code.invokevirtual(self, "write", Names.WRITE).return_();
  }

  private void writeDecode(CodeBuilder code) {
    code.aload(0).aload(1).iconst_0();
    code.invokevirtual(self, "read", Names.READ).areturn();
  }

  /** Pushes the object that a named layout is handled with. */
  void loadConstant(CodeBuilder code, Layout layout) {
    loadConstant(code, layout.text(), constantType(layout), () -> constantOf.apply(layout));
  }

  /** Pushes an object that is kept in a field; equal keys share one. */
  void loadConstant(CodeBuilder code, String key, ClassDesc type, Supplier<Object> value) {
    Integer number = constantNumbers.get(key);
    if (number == null) {
      number = constantTypes.size();
      constantNumbers.put(key, number);
      constantTypes.add(type);
      classData.add(value.get());
    }
    code.getstatic(self, CONSTANT_PREFIX + number, type);
  }

  private static ClassDesc constantType(Layout layout) {
    return switch (layout) {
      case Layout.Product _ -> Names.CODEC;
      case Layout.Choice _ -> Names.CHOICE;
      case Layout.Constant _ -> Names.ENUM_INDEX;
      default -> throw new IllegalStateException("no constant for " + layout.text());
    };
  }

  /** Whether a class, or what an array is of, is in the package of the record. */
  boolean isBeside(Class<?> type) {
    Class<?> single = type;
    while (single.isArray()) {
      single = single.componentType();
    }
    return Objects.equals(single.getClassLoader(), product.type().getClassLoader())
        && single.getPackageName().equals(product.type().getPackageName());
  }

  /** Calls the part method of a container, whose arguments are on the stack. */
  void invokePart(CodeBuilder code, PartMethod part, Layout layout) {
    Integer number = partNumbers.get(layout.text());
    if (number == null) {
      number = partNumbers.size();
      partNumbers.put(layout.text(), number);
    }
    String name = part.methodName(number);
    MethodTypeDesc type = part.signature(layout);
    if (partsRequested.add(name)) {
      int flags = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC;
      pendingParts.add(builder ->
          builder.withMethodBody(name, type, flags, body -> containers.emit(body, part, layout)));
    }
    code.invokestatic(self, name, type);
  }

  private void writeConstants(ClassBuilder builder) {
    if (constantTypes.isEmpty()) {
      return;
    }
    for (int i = 0; i < constantTypes.size(); i++) {
      int flags = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL;
      builder.withField(CONSTANT_PREFIX + i, constantTypes.get(i), flags);
    }
    builder.withMethodBody(
        CLASS_INIT_NAME, MTD_void, ClassFile.ACC_STATIC, this::writeClassInitializer);
  }

  private void writeClassInitializer(CodeBuilder code) {
    code.invokestatic(CD_MethodHandles, "lookup", MethodTypeDesc.of(CD_MethodHandles_Lookup));
    code.loadConstant(ConstantDescs.DEFAULT_NAME).loadConstant(CD_List);
    code.invokestatic(
        CD_MethodHandles,
        "classData",
        MethodTypeDesc.of(CD_Object, CD_MethodHandles_Lookup, CD_String, ConstantDescs.CD_Class));
    code.checkcast(CD_List).astore(0);
    for (int i = 0; i < constantTypes.size(); i++) {
      ClassDesc type = constantTypes.get(i);
      code.aload(0).loadConstant(i);
      code.invokeinterface(CD_List, "get", MethodTypeDesc.of(CD_Object, CD_int)).checkcast(type);
      code.putstatic(self, CONSTANT_PREFIX + i, type);
    }
    code.return_();
  }
}
