package org.ringwire.benchmarks.heap;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** Loads contenders, each with all classes that are not of the platform once more. */
final class Isolated {
  private Isolated() {}

  @SuppressWarnings("resource") // a class loader that is used to the end of the program
  static LongBinaryOperator contender(
      String name, String shape, int elements, boolean cycles, boolean fresh) {
    URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return (LongBinaryOperator)
          loader
              .loadClass(HeapContender.class.getName())
              .getConstructor(
                  String.class, String.class, Integer.class, Boolean.class, Boolean.class)
              .newInstance(name, shape, elements, cycles, fresh);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make a contender: " + name, e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static URL[] classPath() {
    List<URL> parts = new ArrayList<>();
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      try {
        parts.add(Path.of(part).toUri().toURL());
      } catch (MalformedURLException e) {
        throw new IllegalStateException("class path: " + part, e);
      }
    }
    return parts.toArray(URL[]::new);
  }
}
