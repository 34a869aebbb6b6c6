package org.ringwire.testing;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Loads the library and its tests once more, with some methods changed: shows that a test finds a
 * defect, without a switch for it in the code. One thread.
 */
public final class MutantLoader extends ClassLoader {

  private final Map<String, ClassTransform> mutations;

  /** Instructions of a method, one by one; true if the instruction was replaced by others. */
  @FunctionalInterface
  public interface Mutation {
    /** Replaces an instruction, or leaves it. */
    boolean replace(CodeBuilder code, CodeElement element);
  }

  /** With changed classes, by name. */
  public MutantLoader(Map<String, ClassTransform> mutations) {
    super(MutantLoader.class.getClassLoader());
    this.mutations = Map.copyOf(mutations);
  }

  /** Changes the code of the methods of a name. */
  public static ClassTransform method(String name, Mutation mutation) {
    Predicate<java.lang.classfile.MethodModel> named =
        method -> method.methodName().equalsString(name);
    boolean[] replaced = new boolean[1];
    CodeTransform code =
        (builder, element) -> {
          if (mutation.replace(builder, element)) {
            replaced[0] = true;
          } else {
            builder.with(element);
          }
        };
    return ClassTransform.transformingMethodBodies(named, code)
        .andThen(
            ClassTransform.endHandler(_ -> {
              if (!replaced[0]) {
                throw new AssertionError("nothing to change in " + name);
              }
            }));
  }

  /** Calls a static method without parameters before each return of the methods of a name. */
  public static ClassTransform callBeforeReturns(String name, Class<?> owner, String called) {
    ClassDesc of = ClassDesc.of(owner.getName());
    return method(
        name,
        (code, element) -> {
          if (!(element instanceof ReturnInstruction)) {
            return false;
          }
          code.invokestatic(of, called, MethodTypeDesc.of(ConstantDescs.CD_void));
          code.with(element);
          return true;
        });
  }

  /** Runs a scenario, a class with a constructor without parameters, in the changed library. */
  public boolean run(Class<? extends BooleanSupplier> scenario)
      throws ReflectiveOperationException {
    Class<?> copy = loadClass(scenario.getName());
    return ((BooleanSupplier) copy.getConstructor().newInstance()).getAsBoolean();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("org.ringwire.")) {
      return super.loadClass(name, resolve);
    }
    Class<?> loaded = findLoadedClass(name);
    return loaded != null ? loaded : define(name);
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String resource = "/" + name.replace('.', '/') + ".class";
    try (InputStream in = MutantLoader.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      ClassTransform mutation = mutations.get(name);
      if (mutation != null) {
        ClassFile classFile = ClassFile.of();
        bytes = classFile.transformClass(classFile.parse(bytes), mutation);
      }
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
