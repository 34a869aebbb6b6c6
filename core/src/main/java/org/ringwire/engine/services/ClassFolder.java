package org.ringwire.engine.services;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The classes of the core where they lie in a folder and not in an archive. To load one of them
 * takes a file descriptor, and a virtual machine that could not load a class when it was first
 * needed never tries again: a process that has no descriptor left for a moment would lose its I/O
 * threads for ever. So there all of them are loaded with the first node; most of them soon would be
 * anyway. An archive is open as long as the process uses it. Those of other modules are not: many
 * are never used, and a class that is loaded and first used where there is no heap is lost
 * likewise.
 */
final class ClassFolder {

  private static final String SUFFIX = ".class";
  private static final String PACKAGE = "org/ringwire";

  private static boolean loaded; // guarded by the class

  private ClassFolder() {}

  /** Loads what is not loaded, for the first node; any thread. */
  static synchronized void load() {
    if (!loaded) {
      try {
        loaded = tryLoad();
      } catch (IOException | URISyntaxException | RuntimeException e) {
        return; // a folder is not to be read now: the next node tries again
      }
    }
  }

  /** Returns false if some class could not be loaded now. */
  private static boolean tryLoad() throws IOException, URISyntaxException {
    ClassLoader loader = ClassFolder.class.getClassLoader();
    URL own = ClassFolder.class.getResource("ClassFolder" + SUFFIX);
    if (own == null || !own.getProtocol().equals("file")) {
      return true;
    }
    return tryLoad(Path.of(own.toURI()).resolve("../../..").normalize(), loader);
  }

  private static boolean tryLoad(Path folder, ClassLoader loader) throws IOException {
    List<Path> files;
    try (Stream<Path> walked = Files.walk(folder)) {
      files = walked.filter(path -> path.toString().endsWith(SUFFIX)).toList();
    }
    boolean all = true;
    for (Path each : files) {
      String path = PACKAGE + "/" + folder.relativize(each);
      String name = path.substring(0, path.length() - SUFFIX.length());
      try {
        Class<?> _ = Class.forName(name.replaceAll("[/\\\\]", "."), false, loader);
      } catch (ClassNotFoundException e) {
        all = false; // there may have been no descriptor for it
      } catch (LinkageError e) {
        // of a module whose libraries are not here
      }
    }
    return all;
  }
}
