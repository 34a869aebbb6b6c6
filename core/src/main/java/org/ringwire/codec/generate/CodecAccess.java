package org.ringwire.codec.generate;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_MethodHandles;
import static java.lang.constant.ConstantDescs.CD_MethodHandles_Lookup;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.runtime.RecordCodec;

/**
 * Gets codecs into the packages of the records they handle. Across modules the JDK hands out a
 * lookup that may define an ordinary class there, but no nest mate of the record; so an ordinary
 * class, {@code RingwireAccess}, is defined once per package, and its own lookup does the rest. It
 * also makes the module read this library, which a codec extends a class of: a module that only has
 * records and opens them need not require it.
 */
final class CodecAccess {
  private static final Lookup OWN = MethodHandles.lookup();
  private static final Module MODULE = CodecAccess.class.getModule();
  private static final String BRIDGE = "RingwireAccess";

  private final @Nullable Lookup users;

  /**
   * Creates an access.
   *
   * @param users a lookup of the user, or null to rely on open packages
   */
  CodecAccess(@Nullable Lookup users) {
    this.users = users;
  }

  /** Defines the codec of a record as its nest mate. */
  RecordCodec<?> define(Class<?> type, byte[] bytes, List<Object> classData) {
    try {
      Lookup full = fullLookup(type);
      MODULE.addExports(RecordCodec.class.getPackageName(), type.getModule());
      Lookup codec =
          full.defineHiddenClassWithClassData(bytes, classData, true, Lookup.ClassOption.NESTMATE);
      Object instance =
          codec.findConstructor(codec.lookupClass(), MethodType.methodType(void.class)).invoke();
      return (RecordCodec<?>) instance;
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException(noAccess(type), e);
    } catch (LinkageError e) {
      throw new IllegalArgumentException(
          "codec of "
              + type.getName()
              + " cannot be linked (does the class loader of the record see "
              + RecordCodec.class.getPackageName()
              + "?): "
              + e.getMessage(),
          e);
    } catch (Throwable e) {
      throw new IllegalStateException("codec of " + type.getName() + " cannot be created", e);
    }
  }

  private Lookup fullLookup(Class<?> type) throws Throwable {
    if (users != null) {
      Lookup found = fullLookup(type, users);
      if (found != null) {
        return found;
      }
    }
    if (!MODULE.canRead(type.getModule())) {
      MODULE.addReads(type.getModule());
    }
    Lookup found = fullLookup(type, OWN);
    if (found == null) {
      throw new IllegalAccessException(type.getPackageName() + " is not open");
    }
    return found;
  }

  /** A lookup with all rights on the record, or null if the package is closed to the caller. */
  private static @Nullable Lookup fullLookup(Class<?> type, Lookup caller) throws Throwable {
    Lookup inside;
    try {
      inside = MethodHandles.privateLookupIn(type, caller);
    } catch (IllegalAccessException e) {
      return null;
    }
    if (!inside.hasFullPrivilegeAccess() || !type.getModule().canRead(MODULE)) {
      MethodType signature = MethodType.methodType(Lookup.class, Module.class);
      inside = (Lookup) inside.findStatic(bridge(inside), "lookup", signature).invoke(MODULE);
      inside = MethodHandles.privateLookupIn(type, inside);
    }
    return inside;
  }

  /**
   * Defined at once and looked for if it was there: who looks first gets that of a parent of the
   * class loader, and can then define none.
   */
  private static Class<?> bridge(Lookup inside) throws IllegalAccessException {
    Class<?> type = inside.lookupClass();
    String name = type.getPackageName().isEmpty() ? BRIDGE : type.getPackageName() + "." + BRIDGE;
    try {
      return inside.defineClass(bridgeBytes(ClassDesc.of(name)));
    } catch (LinkageError known) {
      return findBridge(name, type.getClassLoader(), known);
    }
  }

  private static Class<?> findBridge(
      String name, @Nullable ClassLoader loader, LinkageError known) {
    try {
      return Class.forName(name, true, loader);
    } catch (ClassNotFoundException e) {
      throw known;
    }
  }

  /**
   * A class with one method: {@code static Lookup lookup(Module library) {
   * RingwireAccess.class.getModule().addReads(library); return MethodHandles.lookup(); }}.
   */
  private static byte[] bridgeBytes(ClassDesc name) {
    ClassDesc module = ClassDesc.of(Module.class.getName());
    MethodTypeDesc lookup = MethodTypeDesc.of(CD_MethodHandles_Lookup);
    MethodTypeDesc addReads = MethodTypeDesc.of(module, module);
    return ClassFile.of()
        .build(
            name,
            builder ->
                builder
                    .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
                    .withMethodBody(
                        "lookup",
                        MethodTypeDesc.of(CD_MethodHandles_Lookup, module),
                        ClassFile.ACC_STATIC,
                        code ->
                            code.loadConstant(name)
                                .invokevirtual(CD_Class, "getModule", MethodTypeDesc.of(module))
                                .aload(0)
                                .invokevirtual(module, "addReads", addReads)
                                .pop()
                                .invokestatic(CD_MethodHandles, "lookup", lookup)
                                .areturn()));
  }

  private static String noAccess(Class<?> type) {
    Module module = type.getModule();
    String target = MODULE.isNamed() ? " to " + MODULE.getName() : "";
    return "no access to "
        + type.getName()
        + ": add \"opens "
        + type.getPackageName()
        + target
        + ";\" to the module-info.java of "
        + module.getName()
        + ", or let that module give a lookup:"
        + " NodeConfig.builder(id).lookup(MethodHandles.lookup()), or, with a catalog of your own,"
        + " new MessageCatalog(MethodHandles.lookup())";
  }
}
