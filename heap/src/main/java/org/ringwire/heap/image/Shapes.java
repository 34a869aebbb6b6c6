package org.ringwire.heap.image;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.charset.Charset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;

/**
 * The shapes of all classes, made on first use. Any thread. Making a shape loads, but does not
 * initialise, the classes that the fields of a class name; what a receiver accepts is checked
 * before it asks here ({@link AcceptedClasses}).
 */
final class Shapes {
  private static final @Nullable Shape[] BY_TAG = new @Nullable Shape[Tags.COUNT];
  private static final Map<Class<?>, Shape> BUILT_IN = new HashMap<>(); // never changes after init

  private static final Set<String> BUILT_IN_NAMES = new HashSet<>(); // the same

  /** Classes whose shapes are being made by this thread: a cycle of fields meets them again. */
  private static final ThreadLocal<Deque<Class<?>>> UNDER_WAY =
      ThreadLocal.withInitial(ArrayDeque::new);

  private static final ClassValue<Shape> CACHE =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return make(type);
        }
      };

  static {
    add(StringShape.INSTANCE);
    addAll(BoxShape.all());
    addPrimitiveArrays();
    add(new ClassShape());
    addAll(SingletonShape.all());
    addAll(ValueShape.all());
    addAll(Containers.all());
    add(Templates.object(ObjectLayout.of(Object.class)));
    add(Templates.referenceArray(new ArrayLayout(Object[].class, Tags.OBJECT_ARRAY, null)));
    add(
        Templates.referenceArray(
            new ArrayLayout(String[].class, Tags.STRING_ARRAY, StringShape.INSTANCE)));
  }

  private Shapes() {}

  private static void addPrimitiveArrays() {
    List<Class<?>> types =
        List.of(
            boolean[].class,
            byte[].class,
            char[].class,
            short[].class,
            int[].class,
            long[].class,
            float[].class,
            double[].class);
    for (int i = 0; i < types.size(); i++) {
      ArrayLayout layout = new ArrayLayout(types.get(i), Tags.PRIMITIVE_ARRAYS + i, null);
      add(Templates.primitiveArray(layout));
    }
  }

  private static void addAll(List<Shape> shapes) {
    for (Shape shape : shapes) { // no lambda: this runs before the first graph of a JVM
      add(shape);
    }
  }

  private static void add(Shape shape) {
    BUILT_IN.put(shape.type, shape);
    BUILT_IN_NAMES.add(shape.type.getName());
    if (BY_TAG[shape.tag] == null) {
      BY_TAG[shape.tag] = shape;
    }
  }

  /**
   * The shape of a class.
   *
   * @throws EncodingException if its objects cannot be sent; the message says why
   */
  static Shape of(Class<?> type) {
    return CACHE.get(type);
  }

  /** The shapes that all images know by tag; null where there is none. */
  static @Nullable Shape[] byTag() {
    return BY_TAG.clone();
  }

  /** Whether every image knows a class of that name, so that nobody has to accept it. */
  static boolean isBuiltInName(String name) {
    return BUILT_IN_NAMES.contains(name);
  }

  /**
   * What a reference of this declared type most probably leads to, or null if that is open. What
   * this shape reads is stored without a look at its class.
   */
  static @Nullable Shape expected(Class<?> declared) {
    boolean isOpen = Modifier.isAbstract(declared.getModifiers()) && !declared.isArray();
    if (isOpen || declared == Object.class) {
      return null;
    }
    if (UNDER_WAY.get().contains(declared) || reasonAgainst(declared) != null) {
      return null;
    }
    Shape shape = of(declared);
    return shape.isExact() ? shape : null;
  }

  private static Shape make(Class<?> type) {
    Shape builtIn = BUILT_IN.get(type);
    if (builtIn != null) {
      return builtIn;
    }
    if (Charset.class.isAssignableFrom(type) && PlatformClasses.contains(type)) {
      return of(Charset.class);
    }
    Class<?> parent = type.getSuperclass();
    if (parent != null && parent.isEnum()) {
      return of(parent); // a constant with a body has a class of its own
    }
    String reason = reasonAgainst(type);
    if (reason != null) {
      throw refused(type, reason);
    }
    UNDER_WAY.get().push(type);
    try {
      return makeFor(type);
    } finally {
      UNDER_WAY.get().pop();
    }
  }

  private static Shape makeFor(Class<?> type) {
    if (type.isEnum()) {
      return new EnumShape(type);
    }
    if (type.isArray()) {
      Shape expected = expected(type.getComponentType());
      return Templates.referenceArray(new ArrayLayout(type, 0, expected));
    }
    return Templates.object(ObjectLayout.of(type));
  }

  private static @Nullable String reasonAgainst(Class<?> type) {
    if (BUILT_IN.containsKey(type) || type.isEnum()) {
      return null;
    }
    if (type.isArray()) {
      Class<?> component = type.getComponentType();
      boolean isOpen = component.isInterface() || Modifier.isAbstract(component.getModifiers());
      return component.isPrimitive() || isOpen ? null : reasonAgainst(component);
    }
    if (type.isHidden()) {
      return type.isSynthetic()
          ? "a lambda or method reference has no name that the receiver could know; use a class"
          : "a hidden class has no name that the receiver could know";
    }
    if (Proxy.isProxyClass(type)) {
      return "a dynamic proxy has no name that the receiver could know";
    }
    return PlatformClasses.objection(type);
  }

  /** What to throw for an object of a class that cannot be sent. */
  static EncodingException refused(Class<?> type, String reason) {
    return new EncodingException("cannot be sent: class=" + type.getName() + ": " + reason);
  }
}
