package org.ringwire.heap.image.classes;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.shape.Description;
import org.ringwire.heap.image.shape.Refusal;
import org.ringwire.heap.image.shape.Shape;

/**
 * What a receiver lets images name. A class is loaded only after its name was accepted, and not
 * initialised before an object of it is made. Any thread.
 */
public final class AcceptedClasses {
  /** Descriptions that are remembered; a sender with more makes this side compare them again. */
  private static final int MAX_KNOWN = 4096;

  /** Names without a class that a loader is asked for, since it may keep something for each. */
  private static final int MOST_MISSES = 1024;

  private static final Map<String, Class<?>> PRIMITIVES =
      Map.of(
          "boolean", boolean.class,
          "byte", byte.class,
          "char", char.class,
          "short", short.class,
          "int", int.class,
          "long", long.class,
          "float", float.class,
          "double", double.class,
          "void", void.class);

  private final Map<String, Class<?>> classes;
  private final List<Predicate<String>> names;
  private final @Nullable ClassLoader loader;
  private final Map<Known, Shape> known = new ConcurrentHashMap<>();

  /** Names without a class that the loader was asked for. */
  private final Set<String> misses = ConcurrentHashMap.newKeySet();

  /** A description as a key. */
  @SuppressWarnings("ArrayRecordComponent") // compared by content below
  private record Known(byte[] description) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Known k && Arrays.equals(description, k.description);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(description);
    }
  }

  /**
   * Sets what is accepted.
   *
   * @param classes by their names
   * @param names say of the name of a class whether it is accepted
   * @param loader where names are looked up
   */
  public AcceptedClasses(
      Map<String, Class<?>> classes, List<Predicate<String>> names, @Nullable ClassLoader loader) {
    this.classes = Map.copyOf(classes);
    this.names = List.copyOf(names);
    this.loader = loader;
  }

  /** The shape that a description stands for. */
  Shape described(byte[] description) {
    Known key = new Known(description);
    Shape shape = known.get(key);
    if (shape == null) {
      shape = resolve(description);
      if (known.size() < MAX_KNOWN) {
        known.put(key, shape);
      }
    }
    return shape;
  }

  private Shape resolve(byte[] description) {
    Class<?> type = named(Description.nameIn(description));
    Shape shape;
    try {
      shape = Shapes.of(type);
    } catch (EncodingException | LinkageError e) {
      throw new DecodingException(
          "no object of such a class can be received: " + e.getMessage(), e);
    } catch (Exception e) { // of a class loader, declared or not
      throw Refusal.of("a class cannot be loaded: class=" + type.getName(), e);
    }
    if (!Arrays.equals(shape.description(), description)) {
      throw Description.mismatch(type, shape.description(), description);
    }
    return shape;
  }

  /** The class with a name, if that is accepted. */
  public Class<?> named(String name) {
    if (name.length() > Description.LONGEST_NAME) {
      throw new DecodingException("name of a class is too long: length=" + name.length());
    }
    int dimensions = 0;
    while (dimensions < name.length() && name.charAt(dimensions) == '[') {
      dimensions++;
    }
    if (dimensions > Description.MOST_DIMENSIONS) {
      throw new DecodingException("too many dimensions: class=" + name);
    }
    if (dimensions == 0) {
      Class<?> primitive = PRIMITIVES.get(name);
      return primitive != null ? primitive : elementNamed(name);
    }
    Class<?> type = arrayElement(name, dimensions);
    for (int i = 0; i < dimensions; i++) {
      type = type.arrayType();
    }
    return type;
  }

  private Class<?> arrayElement(String name, int dimensions) {
    if (name.startsWith("L", dimensions) && name.endsWith(";")) {
      return elementNamed(name.substring(dimensions + 1, name.length() - 1));
    }
    String element = name.substring(dimensions);
    for (Class<?> primitive : PRIMITIVES.values()) {
      if (primitive != void.class && primitive.descriptorString().equals(element)) {
        return primitive;
      }
    }
    throw new DecodingException("not the name of a class: class=" + name);
  }

  private boolean isAcceptedName(String name) {
    try {
      for (Predicate<String> accepted : names) {
        if (accepted.test(name)) {
          return true;
        }
      }
      return false;
    } catch (Exception | LinkageError e) { // declared or not
      throw Refusal.of("nobody can say whether a class is accepted: class=" + name, e);
    }
  }

  /**
   * A class that is no array. Its name says so: who accepts names is never asked about one that the
   * JVM would take for that of an array of another class.
   */
  private Class<?> elementNamed(String name) {
    if (name.indexOf('[') >= 0 || name.indexOf(';') >= 0) {
      throw new DecodingException("not the name of a class: class=" + name);
    }
    Class<?> given = classes.get(name);
    if (given != null) {
      return given;
    }
    boolean isOfPlatform = PlatformClasses.mayBeNamed(name) || BuiltInShapes.hasName(name);
    if (!isOfPlatform && !isAcceptedName(name)) {
      throw new DecodingException(
          "class is not accepted here: class="
              + name
              + "; HeapCodec.builder().accept(...) names what is");
    }
    Class<?> type = load(name);
    if (!isOfPlatform && PlatformClasses.contains(type) && !PlatformClasses.isOpenType(type)) {
      throw new DecodingException(
          "class of the platform is not accepted by its name: class="
              + name
              + "; HeapCodec.builder().accept(...) names what is");
    }
    return type;
  }

  /** A loader keeps something for each name without a class, and no more when asked again. */
  private Class<?> load(String name) {
    boolean isBounded = misses.size() < MOST_MISSES || misses.contains(name);
    try {
      if (isBounded || hasFile(name)) {
        return Class.forName(name, false, loader);
      }
    } catch (ClassNotFoundException | LinkageError e) {
      if (isBounded) {
        misses.add(name);
      }
      throw missing(name, e);
    } catch (Exception e) { // of a class loader, declared or not
      throw Refusal.of("a class cannot be loaded: class=" + name, e);
    }
    throw missing(name, null);
  }

  /**
   * Whether there is a class file; to ask for that leaves nothing behind, while a class loader
   * keeps a lock for each name that it was ever asked for. That of the JVM itself does not.
   */
  private boolean hasFile(String name) {
    return loader == null || loader.getResource(name.replace('.', '/') + ".class") != null;
  }

  private static DecodingException missing(String name, @Nullable Throwable cause) {
    return new DecodingException(
        "no such class here: class="
            + name
            + "; HeapCodec.builder().classLoader(...) says where else to look",
        cause);
  }
}
