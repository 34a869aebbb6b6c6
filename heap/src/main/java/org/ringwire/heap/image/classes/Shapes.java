package org.ringwire.heap.image.classes;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.charset.Charset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;
import org.ringwire.heap.image.shape.Description;
import org.ringwire.heap.image.shape.Refusal;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.template.FieldRules;
import org.ringwire.heap.image.template.Templates;
import org.ringwire.heap.image.value.EnumShape;

/**
 * The shapes of all classes, made on first use. Any thread. Making a shape loads, but does not
 * initialise, the classes that the fields of a class name; what a receiver accepts is checked
 * before it asks here ({@link AcceptedClasses}).
 */
public final class Shapes {
  /** Classes whose shapes are being made by this thread: a cycle of fields meets them again. */
  private static final ThreadLocal<Deque<Class<?>>> UNDER_WAY =
      new ThreadLocal<>() { // no method reference: the first one of a JVM takes long
        @Override
        protected Deque<Class<?>> initialValue() {
          return new ArrayDeque<>();
        }
      };

  /** Shapes, but of older classes references to those in {@link #OF_OLDER}. */
  private static final ClassValue<Object> CACHE =
      new ClassValue<>() {
        @Override
        protected Object computeValue(Class<?> type) {
          Shape shape = make(type);
          return isOlder(type) ? new WeakReference<>(keep(type, shape)) : shape;
        }
      };

  /**
   * Shapes of classes that may outlive this library, as those of the platform do: such a class must
   * not hold what was loaded with the library. An application server would keep each library that
   * it has ever loaded.
   */
  private static final Map<Class<?>, Shape> OF_OLDER = new ConcurrentHashMap<>();

  /** For the layouts of all classes. */
  static final FieldRules RULES =
      new FieldRules() {
        @Override
        public boolean isLeftOut(Field field) {
          return PlatformClasses.isView(field);
        }

        @Override
        public @Nullable Shape expected(Class<?> declared) {
          return Shapes.expected(declared);
        }
      };

  private Shapes() {}

  /**
   * The shape of a class.
   *
   * @throws EncodingException if its objects cannot be sent; the message says why
   */
  public static Shape of(Class<?> type) {
    Object cached = CACHE.get(type);
    return cached instanceof Shape shape
        ? shape
        : Objects.requireNonNull((Shape) ((Reference<?>) cached).get());
  }

  private static Shape keep(Class<?> type, Shape shape) {
    Shape first = OF_OLDER.putIfAbsent(type, shape);
    return first != null ? first : shape;
  }

  /** Whether a class is of a class loader above ours. */
  @SuppressWarnings("ReferenceEquality") // the very class loader
  private static boolean isOlder(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    ClassLoader older = Shapes.class.getClassLoader();
    do {
      older = older == null ? null : older.getParent();
    } while (older != null && older != loader);
    return older == loader;
  }

  /** As {@link FieldRules#expected}. */
  private static @Nullable Shape expected(Class<?> declared) {
    boolean isOpen = Modifier.isAbstract(declared.getModifiers()) && !declared.isArray();
    if (isOpen || declared == Object.class) {
      return null;
    }
    if (UNDER_WAY.get().contains(declared) || reasonAgainst(declared) != null) {
      return null;
    }
    try {
      Shape shape = of(declared);
      return shape.isExact() ? shape : null;
    } catch (EncodingException e) {
      return null; // there may be none of them
    }
  }

  private static Shape make(Class<?> type) {
    Shape builtIn = BuiltInShapes.of(type);
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
      throw Refusal.ofClass(type, reason);
    }
    UNDER_WAY.get().push(type);
    try {
      Shape shape = makeFor(type);
      String objection = Description.objection(type, shape.description());
      if (objection != null) {
        throw Refusal.ofClass(type, objection);
      }
      return shape;
    } catch (LinkageError e) {
      throw Refusal.ofClass(type, "it lacks a class: " + e);
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
      return Templates.referenceArray(type, 0, expected);
    }
    return Templates.object(type, RULES);
  }

  private static @Nullable String reasonAgainst(Class<?> type) {
    if (BuiltInShapes.has(type) || type.isEnum()) {
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
}
