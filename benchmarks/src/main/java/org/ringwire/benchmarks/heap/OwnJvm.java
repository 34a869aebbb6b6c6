package org.ringwire.benchmarks.heap;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts further JVMs with the flags of this one. */
final class OwnJvm {
  private OwnJvm() {}

  /** The command of a main class, without its words. */
  static List<String> command(Class<?> main) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return words;
  }
}
