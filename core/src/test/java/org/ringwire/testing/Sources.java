package org.ringwire.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.Codec;

/** Compiles sources in memory; each call makes a class loader, so that versions live together. */
public final class Sources {

  private Sources() {}

  /**
   * The classes of a compilation unit, which may use the library and public classes of its tests.
   *
   * @param unit the name of its public class or interface
   * @param source its text
   */
  public static ClassLoader compile(String unit, String source) {
    return compile(unit, source, Codec.class.getClassLoader());
  }

  /** The same, of which each class file is changed before it is loaded. */
  public static ClassLoader compile(String unit, String source, UnaryOperator<byte[]> change) {
    return compile(unit, source, Codec.class.getClassLoader(), change);
  }

  /** The same in a class loader that has these classes itself, though its parent may, too. */
  public static ClassLoader compile(String unit, String source, ClassLoader parent) {
    return compile(unit, source, parent, UnaryOperator.identity());
  }

  private static ClassLoader compile(
      String unit, String source, ClassLoader parent, UnaryOperator<byte[]> change) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, ByteArrayOutputStream> compiled = new HashMap<>();
    StringWriter errors = new StringWriter();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    String classes = Codec.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    String path = classes + File.pathSeparator + Path.of(classes).resolveSibling("test-classes");
    boolean done =
        compiler
            .getTask(
                errors,
                new Memory(files, compiled),
                null,
                List.of("-proc:none", "-cp", path),
                null,
                List.of(new Unit(unit, source)))
            .call();
    assertThat(done).as("%s in %s", errors, source).isTrue();
    Map<String, byte[]> changed = new HashMap<>();
    compiled.forEach((name, bytes) -> changed.put(name, change.apply(bytes.toByteArray())));
    return new Loader(changed, parent);
  }

  /** Classes and test classes, whether this JVM found them by class path or module path. */
  public static String classPath() {
    Set<String> entries = new LinkedHashSet<>();
    for (String property : List.of("java.class.path", "jdk.module.path")) {
      for (String entry : System.getProperty(property, "").split(File.pathSeparator)) {
        entries.add(entry);
        entries.add(Path.of(entry).resolveSibling("test-classes").toString());
      }
    }
    return String.join(File.pathSeparator, entries);
  }

  private static final class Unit extends SimpleJavaFileObject {
    private final String source;

    Unit(String name, String source) {
      super(URI.create("memory:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      this.source = source;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return source;
    }
  }

  private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> classes;

    Memory(JavaFileManager files, Map<String, ByteArrayOutputStream> classes) {
      super(files);
      this.classes = classes;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, @Nullable FileObject sibling) {
      URI uri = URI.create("memory:///" + name.replace('.', '/') + kind.extension);
      return new SimpleJavaFileObject(uri, kind) {
        @Override
        public OutputStream openOutputStream() {
          return classes.computeIfAbsent(name, key -> new ByteArrayOutputStream());
        }
      };
    }
  }

  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> classes;

    Loader(Map<String, byte[]> classes, ClassLoader parent) {
      super(parent);
      this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded == null && classes.containsKey(name)) {
          loaded = findClass(name);
        }
        return loaded == null ? super.loadClass(name, resolve) : loaded;
      }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytes = classes.get(name);
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}
