package org.ringwire.heap.image.classes;

import java.util.function.Predicate;

/**
 * Names of the classes of a package, not of those below it. No lambda, and no stream in what
 * follows: the first one of a JVM takes long.
 *
 * @param prefix what the names begin with, the last dot included
 */
public record ClassesInPackage(String prefix) implements Predicate<String> {

  /**
   * Those of a package.
   *
   * @throws IllegalArgumentException if no package in Java can have this name
   */
  public static ClassesInPackage of(String name) {
    for (String part : name.split("\\.", -1)) {
      if (!isIdentifier(part)) {
        throw new IllegalArgumentException(
            "not the name of a package, such as com.example; packages below it are accepted by"
                + " acceptNames(name -> name.startsWith(\"com.example.\")), classes in none by"
                + " accept: package="
                + name);
      }
    }
    return new ClassesInPackage(name + '.');
  }

  private static boolean isIdentifier(String part) {
    if (part.isEmpty() || !Character.isJavaIdentifierStart(part.codePointAt(0))) {
      return false;
    }
    for (int i = 0; i < part.length(); i += Character.charCount(part.codePointAt(i))) {
      if (!Character.isJavaIdentifierPart(part.codePointAt(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean test(String type) {
    return type.startsWith(prefix) && type.indexOf('.', prefix.length()) < 0;
  }
}
