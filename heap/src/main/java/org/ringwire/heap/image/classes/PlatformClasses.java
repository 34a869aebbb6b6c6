package org.ringwire.heap.image.classes;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which classes of the platform may be written field by field, and why others may not. */
final class PlatformClasses {
  /** Values and wrappers in plain Java, which can be wrong but never do harm. */
  private static final Set<String> PLAIN =
      Set.of(
          "java.lang.Object",
          "java.time.Duration",
          "java.time.Instant",
          "java.time.LocalDate",
          "java.time.LocalDateTime",
          "java.time.LocalTime",
          "java.time.MonthDay",
          "java.time.OffsetDateTime",
          "java.time.OffsetTime",
          "java.time.Year",
          "java.time.YearMonth",
          "java.time.ZonedDateTime",
          "java.util.AbstractMap$SimpleEntry",
          "java.util.AbstractMap$SimpleImmutableEntry",
          "java.util.Arrays$ArrayList",
          "java.util.Collections$EmptyList",
          "java.util.Collections$ReverseComparator2",
          "java.util.Collections$SingletonList",
          "java.util.Collections$SingletonMap",
          "java.util.Collections$SingletonSet",
          "java.util.Comparators$NullComparator",
          "java.util.KeyValueHolder",
          "java.util.Optional",
          "java.util.OptionalDouble",
          "java.util.OptionalInt",
          "java.util.OptionalLong",
          "java.util.Random",
          "java.util.UUID",
          "java.util.concurrent.ConcurrentHashMap$KeySetView",
          "java.util.concurrent.atomic.AtomicBoolean",
          "java.util.concurrent.atomic.AtomicInteger",
          "java.util.concurrent.atomic.AtomicIntegerArray",
          "java.util.concurrent.atomic.AtomicLong",
          "java.util.concurrent.atomic.AtomicLongArray",
          "java.util.concurrent.atomic.AtomicReference",
          "java.util.concurrent.atomic.AtomicReferenceArray");

  /** What classes of applications may extend. */
  private static final Set<String> EXTENSIBLE =
      Set.of(
          "java.lang.Object",
          "java.lang.Record",
          "java.lang.Number",
          "java.util.AbstractCollection",
          "java.util.AbstractList",
          "java.util.AbstractMap",
          "java.util.AbstractQueue",
          "java.util.AbstractSequentialList",
          "java.util.AbstractSet",
          "java.util.concurrent.atomic.AtomicBoolean",
          "java.util.concurrent.atomic.AtomicInteger",
          "java.util.concurrent.atomic.AtomicLong",
          "java.util.concurrent.atomic.AtomicReference");

  /** What arrays and class objects may name besides, since no object is made of them. */
  private static final Set<String> TYPES =
      Set.of(
          "java.io.Serializable",
          "java.lang.CharSequence",
          "java.lang.Cloneable",
          "java.lang.Comparable",
          "java.lang.Enum",
          "java.lang.Iterable",
          "java.lang.Number",
          "java.lang.Record",
          "java.lang.Runnable",
          "java.util.Collection",
          "java.util.Comparator",
          "java.util.Deque",
          "java.util.Iterator",
          "java.util.List",
          "java.util.Map",
          "java.util.Map$Entry",
          "java.util.NavigableMap",
          "java.util.NavigableSet",
          "java.util.Queue",
          "java.util.Set",
          "java.util.SortedMap",
          "java.util.SortedSet");

  /** Enums that go with these values; no harm is in constants. */
  private static final Set<String> CONSTANTS =
      Set.of(
          "java.math.RoundingMode",
          "java.time.DayOfWeek",
          "java.time.Month",
          "java.time.temporal.ChronoField",
          "java.time.temporal.ChronoUnit",
          "java.util.concurrent.TimeUnit");

  /** Views that maps make when they are asked, and make again. */
  private static final Set<String> VIEWS = Set.of("keySet", "entrySet", "values");

  private static final String FIELDS = "its fields belong to the JDK; ";

  /** What to send in place of some values. */
  private static final Map<String, String> SUBSTITUTES =
      Map.of(
          "java.io.File", "send its path as a text",
          "java.lang.StringBuffer", "send a StringBuilder",
          "java.net.Inet4Address", "send what getAddress() returns",
          "java.net.Inet6Address", "send what getAddress() returns",
          "java.net.InetSocketAddress", "send its host and port",
          "java.net.URL", "send a URI",
          "java.nio.HeapByteBuffer", "send its bytes as an array",
          "java.util.regex.Pattern", "send what pattern() and flags() return",
          "sun.nio.fs.UnixPath", "send its text");

  private PlatformClasses() {}

  /** Tools of the JDK, the compiler for example, have the loader of applications. */
  @SuppressWarnings("ReferenceEquality") // there is one
  static boolean contains(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    if (loader == null || loader == ClassLoader.getPlatformClassLoader()) {
      return true;
    }
    String module = type.getModule().getName();
    return module != null && (module.startsWith("jdk.") || module.startsWith("java."));
  }

  /** Whether images may name a class of the platform, whatever else is accepted. */
  static boolean mayBeNamed(String name) {
    return PLAIN.contains(name) || TYPES.contains(name) || CONSTANTS.contains(name);
  }

  /**
   * Whether images may name a class of the platform if its name is accepted: an enum, or a type
   * that arrays and class objects name and of which there are no objects.
   */
  static boolean isOpenType(Class<?> type) {
    boolean hasNoObjects = Modifier.isAbstract(type.getModifiers());
    return type.getName().startsWith("java.") && (type.isEnum() || hasNoObjects);
  }

  /** Whether a field holds nothing that has to be sent. */
  static boolean isView(Field field) {
    Class<?> owner = field.getDeclaringClass();
    return contains(owner) && VIEWS.contains(field.getName()) && Map.class.isAssignableFrom(owner);
  }

  /** Why objects of a class cannot be written field by field, or null if they can. */
  static @Nullable String objection(Class<?> type) {
    if (contains(type)) {
      return PLAIN.contains(type.getName()) ? null : objectionTo(type);
    }
    for (Class<?> c = type.getSuperclass(); c != null; c = c.getSuperclass()) {
      if (contains(c) && !EXTENSIBLE.contains(c.getName())) {
        return "it extends "
            + c.getName()
            + ", whose fields belong to the JDK; keep such an object"
            + " in a field instead";
      }
      if (contains(c)) {
        return null;
      }
    }
    return null;
  }

  private static String objectionTo(Class<?> type) {
    if (Thread.class.isAssignableFrom(type) || ThreadGroup.class.isAssignableFrom(type)) {
      return "a thread belongs to its JVM";
    }
    if (ClassLoader.class.isAssignableFrom(type) || type == Module.class) {
      return "code belongs to its JVM";
    }
    if (ThreadLocal.class.isAssignableFrom(type)) {
      return "what a thread holds belongs to its JVM";
    }
    if (Throwable.class.isAssignableFrom(type)) {
      return "exceptions hold frames of their JVM; send what matters of them";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return FIELDS + "copy it into a collection that is sent, for example an ArrayList";
    }
    if (Map.class.isAssignableFrom(type)) {
      return FIELDS + "copy it into a map that is sent, for example a HashMap";
    }
    if (Map.Entry.class.isAssignableFrom(type)) {
      return FIELDS + "copy it by Map.entry";
    }
    return FIELDS + SUBSTITUTES.getOrDefault(type.getName(), "convert it to something of your own");
  }
}
