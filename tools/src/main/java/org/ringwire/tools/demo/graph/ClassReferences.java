package org.ringwire.tools.demo.graph;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.Arrays;
import java.util.function.ToIntFunction;

/**
 * The classes that a class refers to: the class entries of its constant pool. An array counts as
 * its element class, an array of primitives as nothing. Nothing but the constant pool is looked at.
 */
final class ClassReferences {

  /** What a numbering answers for a class that it does not know. */
  static final int UNKNOWN = -1;

  private ClassReferences() {}

  /**
   * Reads one class file.
   *
   * @param numbering the vertex of an internal name such as {@code java/lang/Object}, or {@link
   *     #UNKNOWN}: such a reference is dropped
   * @return the distinct vertices that the class refers to, ascending, without itself
   */
  static int[] targets(byte[] classFile, ToIntFunction<String> numbering) {
    ClassModel model = ClassFile.of().parse(classFile);
    int self = numbering.applyAsInt(model.thisClass().asInternalName());
    int[] found = new int[32];
    int count = 0;
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry reference) {
        int target = target(reference.asInternalName(), numbering);
        if (target != UNKNOWN && target != self) {
          found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
          found[count++] = target;
        }
      }
    }
    return distinct(found, count);
  }

  private static int target(String name, ToIntFunction<String> numbering) {
    if (!name.startsWith("[")) {
      return numbering.applyAsInt(name);
    }
    int element = name.lastIndexOf('[') + 1;
    return name.charAt(element) == 'L'
        ? numbering.applyAsInt(name.substring(element + 1, name.length() - 1))
        : UNKNOWN;
  }

  private static int[] distinct(int[] values, int count) {
    Arrays.sort(values, 0, count);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || values[i] != values[i - 1]) {
        values[kept++] = values[i];
      }
    }
    return Arrays.copyOf(values, kept);
  }
}
