package org.ringwire.idle;

import org.jspecify.annotations.Nullable;

/**
 * Has classes ready before they are needed. The JVM initialises a class when it is used first, and
 * one for which there was no heap then can never be used again, however much there is later: a node
 * that meets its first peer at such a moment would take no other for as long as it lives, and
 * nobody would know. So what links and connections use is initialised when nodes and transports are
 * opened, which fails as a whole where that fails, now and for as long as the process lives. Any
 * thread; stateless.
 */
public final class FirstUse {

  private static final String PREFIX = "org.ringwire.";

  private FirstUse() {}

  /** Initialises these. */
  public static void prepare(Class<?>... classes) {
    for (Class<?> each : classes) {
      prepare(each.getName(), each.getClassLoader());
    }
  }

  /**
   * The same of those that only their packages know.
   *
   * @param names below the package of the API
   */
  public static void prepare(String... names) {
    for (String name : names) {
      prepare(PREFIX + name, FirstUse.class.getClassLoader());
    }
  }

  /** The same of those of another module, of which this is one. */
  public static void prepareBeside(Class<?> neighbour, String... names) {
    for (String name : names) {
      prepare(PREFIX + name, neighbour.getClassLoader());
    }
  }

  /** The same of the JDK's own, for which there is no other way to come first; opens none. */
  public static void prepareOfJdk(String... names) {
    for (String name : names) {
      prepare(name, null);
    }
  }

  private static void prepare(String name, @Nullable ClassLoader loader) {
    try {
      Class<?> _ = Class.forName(name, true, loader);
    } catch (ClassNotFoundException e) {
      // somebody has packed the library anew, or it is another JDK: then its time comes later
    }
  }
}
