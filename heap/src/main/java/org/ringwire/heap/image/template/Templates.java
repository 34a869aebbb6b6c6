package org.ringwire.heap.image.template;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.security.CodeSource;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.shape.Shape;

/**
 * Loads a compiled class once per layout, as a hidden class whose constants are that layout: the
 * compiler of the JVM then sees offsets and types as constants, and keeps a profile per layout.
 */
@LoadedByName({ObjectTemplate.class, ReferenceArrayTemplate.class, PrimitiveArrayTemplate.class})
public final class Templates {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final byte[] OBJECT = bytesOf("ObjectTemplate");
  private static final byte[] REFERENCE_ARRAY = bytesOf("ReferenceArrayTemplate");
  private static final byte[] PRIMITIVE_ARRAY = bytesOf("PrimitiveArrayTemplate");

  private Templates() {}

  /** The shape of a class whose objects are written field by field. */
  public static Shape object(Class<?> type, FieldRules rules) {
    ObjectLayout layout = ObjectLayout.of(type, rules);
    load(OBJECT, layout);
    return made(layout.shape);
  }

  /**
   * The shape of a class of arrays of references.
   *
   * @param tag that every image knows it by, or 0 if images declare it
   * @param expected the shape of exactly the component type, where there can be one
   */
  public static Shape referenceArray(Class<?> type, int tag, @Nullable Shape expected) {
    ArrayLayout layout = new ArrayLayout(type, tag, expected);
    load(REFERENCE_ARRAY, layout);
    return made(layout.shape);
  }

  /** The shape of a class of arrays of numbers, which every image knows by a tag. */
  public static Shape primitiveArray(Class<?> type, int tag) {
    ArrayLayout layout = new ArrayLayout(type, tag, null);
    load(PRIMITIVE_ARRAY, layout);
    return made(layout.shape);
  }

  private static Shape made(@Nullable Shape shape) {
    if (shape == null) {
      throw new IllegalStateException("a template made no shape");
    }
    return shape;
  }

  private static void load(byte[] template, Object layout) {
    try {
      LOOKUP.defineHiddenClassWithClassData(template, layout, true);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a template cannot be loaded", e);
    }
  }

  /** The layout that the calling template was loaded for. */
  static <T> T layout(Lookup template, Class<T> type) {
    try {
      T layout = MethodHandles.classData(template, "_", type);
      if (layout == null) {
        throw new IllegalStateException("a template was loaded without a layout");
      }
      return layout;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a template has no layout", e);
    }
  }

  /**
   * The one object of a template as what it is: the verifier of the JVM cannot look up the class of
   * a hidden class by its name, so it does not see that.
   */
  static Shape shape(Object template) {
    return (Shape) template;
  }

  /**
   * From the jar itself, if this class is from one on the class path: what class loaders do for it
   * loads twenty classes, and takes as long as the first graph.
   */
  private static byte[] bytesOf(String name) {
    CodeSource source = Templates.class.getProtectionDomain().getCodeSource();
    if (source != null && !Templates.class.getModule().isNamed()) {
      String path = source.getLocation().getPath();
      byte[] bytes = path.endsWith(".jar") ? fromJar(path, name) : null;
      if (bytes != null) {
        return bytes;
      }
    }
    return fromLoader(name);
  }

  /** From a jar, or null if that is elsewhere; to read a jar that is in use opens no file. */
  private static byte @Nullable [] fromJar(String path, String name) {
    try (ZipFile jar = new ZipFile(path)) {
      String folder = Templates.class.getPackageName().replace('.', '/');
      ZipEntry entry = jar.getEntry(folder + '/' + name + ".class");
      return entry == null ? null : jar.getInputStream(entry).readAllBytes();
    } catch (IOException e) {
      return null; // a location that is no plain path, for example
    }
  }

  private static byte[] fromLoader(String name) {
    try (InputStream input = Templates.class.getResourceAsStream(name + ".class")) {
      if (input == null) {
        throw new IllegalStateException("no class file: " + name);
      }
      return input.readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException("class file cannot be read: " + name, e);
    }
  }
}
