package org.ringwire.tools.process;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Main class that runs another one until the process that has started it is gone: that keeps the
 * other end of the standard input, which the program itself does not read.
 */
public final class Watched {

  private Watched() {}

  /** The words behind {@code java} and its options that start a main class like this. */
  public static List<String> words(String mainClass, List<String> arguments) {
    List<String> words = new ArrayList<>(List.of(Watched.class.getName(), mainClass));
    words.addAll(arguments);
    return words;
  }

  /**
   * Runs it.
   *
   * @param args the main class, and its own arguments
   */
  public static void main(String... args) throws Throwable {
    ParentLink.endWithParent();
    Method main = Class.forName(args[0]).getMethod("main", String[].class);
    main.setAccessible(true); // its class need not be public
    try {
      main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
