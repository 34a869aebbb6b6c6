package org.ringwire.heap;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares graphs, and walks through them. */
@SuppressWarnings("ReferenceEquality")
final class Graphs {
  private final IdentityHashMap<Object, Object> forth = new IdentityHashMap<>();
  private final IdentityHashMap<Object, Object> back = new IdentityHashMap<>();
  private final Deque<Object[]> open = new ArrayDeque<>();

  /** Whether an image made the graph, in which a wrapper of a map may wrap itself. */
  private boolean mayWrapItself;

  private Graphs() {}

  /** Why two graphs are not isomorphic, identity included, or null if they are. */
  static @Nullable String difference(@Nullable Object a, @Nullable Object b) {
    return new Graphs().compare(a, b);
  }

  /** Touches every object and looks whether each field has what its type allows. */
  static void walk(@Nullable Object graph) {
    Graphs graphs = new Graphs();
    graphs.mayWrapItself = true;
    String difference = graphs.compare(graph, graph);
    if (difference != null) {
      throw new AssertionError(difference);
    }
  }

  private @Nullable String compare(@Nullable Object a, @Nullable Object b) {
    String difference = meet(a, b, "root");
    while (difference == null && !open.isEmpty()) {
      Object[] pair = open.removeLast();
      difference = compareAnyContent(pair[0], pair[1]);
    }
    return difference;
  }

  private @Nullable String compareAnyContent(Object a, Object b) {
    try {
      return compareContent(a, b);
    } catch (StackOverflowError e) {
      if (mayWrapItself && a.getClass().getName().startsWith("java.util.Collections$")) {
        return null; // it has no content to ask for, and each of its fields has what it allows
      }
      throw e;
    }
  }

  private @Nullable String meet(@Nullable Object a, @Nullable Object b, String where) {
    if (a == null || b == null) {
      return a == b ? null : where + ": " + nameOf(a) + " against " + nameOf(b);
    }
    if (a instanceof Enum || a instanceof Class) {
      return a == b ? null : where + ": " + a + " against " + b;
    }
    Object known = forth.putIfAbsent(a, b);
    Object knownBack = back.putIfAbsent(b, a);
    if (known != null || knownBack != null) {
      return known == b && knownBack == a ? null : where + ": other sharing of " + nameOf(a);
    }
    if (a.getClass() != b.getClass() && !(a instanceof Collection) && !(a instanceof Map)) {
      return where + ": " + nameOf(a) + " against " + nameOf(b);
    }
    open.addLast(new Object[] {a, b});
    return null;
  }

  private static String nameOf(@Nullable Object o) {
    return o == null ? "null" : o.getClass().getName();
  }

  private @Nullable String compareContent(Object a, Object b) {
    if (a.getClass().isArray()) {
      return compareArrays(a, b);
    }
    if (a instanceof Collection<?> collection) {
      return b instanceof Collection<?> other
          ? compareAll(new ArrayList<>(collection), new ArrayList<>(other), nameOf(a))
          : "not a collection: " + nameOf(b);
    }
    if (a instanceof Map<?, ?> map) {
      return b instanceof Map<?, ?> other
          ? compareAll(contentOf(map), contentOf(other), nameOf(a))
          : "not a map: " + nameOf(b);
    }
    if (a.getClass().getName().startsWith("java.")) {
      return a.equals(b) || a.getClass() == Object.class ? null : a + " against " + b;
    }
    return compareFields(a, b);
  }

  private static List<Object> contentOf(Map<?, ?> map) {
    List<Object> content = new ArrayList<>();
    map.forEach((key, value) -> {
      content.add(key);
      content.add(value);
    });
    return content;
  }

  private @Nullable String compareAll(List<?> a, List<?> b, String where) {
    if (a.size() != b.size()) {
      return where + ": " + a.size() + " against " + b.size() + " elements";
    }
    for (int i = 0; i < a.size(); i++) {
      String difference = meet(a.get(i), b.get(i), where + '[' + i + ']');
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private @Nullable String compareArrays(Object a, Object b) {
    if (a.getClass() == b.getClass() && a.getClass().getComponentType().isPrimitive()) {
      if (Arrays.deepEquals(new Object[] {a}, new Object[] {b})) {
        return null; // the long ones, without making an object of each number
      }
    }
    int length = Array.getLength(a);
    if (length != Array.getLength(b)) {
      return nameOf(a) + ": " + length + " against " + Array.getLength(b);
    }
    for (int i = 0; i < length; i++) {
      Object left = Array.get(a, i);
      Object right = Array.get(b, i);
      String difference =
          a.getClass().getComponentType().isPrimitive()
              ? (left.equals(right) ? null : nameOf(a) + '[' + i + "]: " + left + " " + right)
              : meet(left, right, nameOf(a) + '[' + i + ']');
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private @Nullable String compareFields(Object a, Object b) {
    for (Class<?> c = a.getClass(); c != null && c != Object.class; c = c.getSuperclass()) {
      if (c.getName().startsWith("java.")) {
        continue;
      }
      for (Field field : c.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) {
          continue;
        }
        String difference = compareField(field, a, b);
        if (difference != null) {
          return difference;
        }
      }
    }
    return null;
  }

  private @Nullable String compareField(Field field, Object a, Object b) {
    Object left;
    Object right;
    try {
      field.setAccessible(true);
      left = field.get(a);
      right = field.get(b);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
    if (field.getType().isPrimitive()) {
      return left.equals(right) ? null : field + ": " + left + " against " + right;
    }
    if (right != null && !field.getType().isInstance(right)) {
      return field + " holds a " + nameOf(right);
    }
    return meet(left, right, field.toString());
  }
}
