package org.ringwire.tools.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.tools.CommandException;

/** Runs a main class of the benchmarks module, which this module does not know at compile time. */
final class OtherProgram {

  private OtherProgram() {}

  /**
   * Starts a class in a process of its own, with the standard streams of this one.
   *
   * @param command the command that people start it with
   * @return its exit status
   */
  static int run(String mainClass, String command, List<String> vmOptions, List<String> arguments)
      throws InterruptedException {
    if (!isOnClassPath(mainClass)) {
      throw new CommandException(
          "the benchmarks module is not on the class path: start this with ./ringwire " + command);
    }
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(vmOptions);
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    words.addAll(arguments);
    Process process;
    try {
      process = new ProcessBuilder(words).inheritIO().start();
    } catch (IOException e) {
      throw new CommandException("cannot start " + mainClass + ": " + e.getMessage(), e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end-benchmark"));
    return process.waitFor();
  }

  private static boolean isOnClassPath(String mainClass) {
    return OtherProgram.class.getClassLoader().getResource(mainClass.replace('.', '/') + ".class")
        != null;
  }
}
