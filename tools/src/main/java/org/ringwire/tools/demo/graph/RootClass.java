package org.ringwire.tools.demo.graph;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.Nearest;

/** Finds the class that {@code --root} names. */
public final class RootClass {

  private RootClass() {}

  /**
   * The vertex of a class.
   *
   * @param name as {@code java.util.Map$Entry} or {@code java/util/Map$Entry}
   * @param modules that the classes are of; empty for all
   * @throws CommandException if there is none; names the class that was probably meant
   */
  public static int find(JdkClasses classes, String name, List<String> modules) {
    int vertex = classes.number(name.replace('.', '/'));
    if (vertex == ClassReferences.UNKNOWN) {
      throw new CommandException(
          "--root: "
              + (modules.isEmpty() ? "this JDK has" : "of " + String.join(", ", modules) + " is")
              + " no class '"
              + name
              + "', did you mean "
              + closest(classes, name)
              + "?");
    }
    return vertex;
  }

  /**
   * One with the same simple name, if there is one, or else the one with the fewest differences.
   */
  static String closest(JdkClasses classes, String name) {
    return classes
        .names()
        .min(
            Comparator.comparing((String candidate) -> !simple(candidate).equals(simple(name)))
                .thenComparingInt(candidate -> Nearest.distance(name, candidate))
                .thenComparing(Comparator.naturalOrder()))
        .orElse("java.lang.Object");
  }

  private static String simple(String name) {
    int start =
        Math.max(name.lastIndexOf('.'), Math.max(name.lastIndexOf('/'), name.lastIndexOf('$')));
    return name.substring(start + 1).toLowerCase(Locale.ROOT);
  }
}
