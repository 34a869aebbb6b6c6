package org.ringwire.engine.services;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The classes of this library where they lie in a folder and not in an archive. To load one of them
 * takes a file descriptor, and a virtual machine that could not load a class when it was first
 * needed never tries again: a process that has no descriptor left for a moment would lose its I/O
 * threads for ever. So there all of them are loaded with the first node; most of them soon would be
 * anyway. An archive is open as long as the process uses it.
 */
final class ClassFolder {

  private static final String SUFFIX = ".class";

  private static boolean loaded; // guarded by the class

  private ClassFolder() {}

  /** Loads what is not loaded, for the first node; any thread. */
  static synchronized void load() {
    if (loaded) {
      return;
    }
    URL own = ClassFolder.class.getResource("ClassFolder" + SUFFIX);
    if (own != null && own.getProtocol().equals("file")) {
      try {
        load(own);
      } catch (IOException | URISyntaxException | RuntimeException e) {
        return; // it is not to be read now: the next node tries again
      }
    }
    loaded = true;
  }

  private static void load(URL own) throws IOException, URISyntaxException {
    Path folder = Path.of(own.toURI()).resolve("../../..").normalize(); // of org.ringwire
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(path -> path.toString().endsWith(SUFFIX)).toList();
    }
    for (Path each : files) {
      String path = folder.relativize(each).toString();
      String name = path.substring(0, path.length() - SUFFIX.length());
      try {
        Class<?> _ =
            Class.forName(
                "org.ringwire." + name.replaceAll("[/\\\\]", "."),
                false,
                ClassFolder.class.getClassLoader());
      } catch (ClassNotFoundException | LinkageError e) {
        // of a module whose libraries are not here
      }
    }
  }
}
