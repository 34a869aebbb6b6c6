package org.ringwire.tools.bench;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.process.JvmOptions;
import org.ringwire.tools.process.Leftovers;
import org.ringwire.tools.process.ParentLink;
import org.ringwire.tools.process.Watched;

/** Runs a main class of the benchmarks module, which this module does not know at compile time. */
final class OtherProgram {

  private OtherProgram() {}

  /**
   * Runs a class in a process of its own, with the output of this one; it ends with this one.
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
    words.add(ParentLink.QUICK_END);
    words.addAll(JvmOptions.ofEnvironment());
    words.addAll(vmOptions);
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.addAll(Watched.words(mainClass, arguments));
    Process process;
    try {
      process =
          Leftovers.start(
              new ProcessBuilder(words)
                  .redirectOutput(Redirect.INHERIT)
                  .redirectError(Redirect.INHERIT));
    } catch (IOException e) {
      throw new CommandException("cannot start " + mainClass + ": " + e.getMessage(), e);
    }
    int status = process.waitFor();
    Leftovers.forget(process);
    return status;
  }

  private static boolean isOnClassPath(String mainClass) {
    return OtherProgram.class.getClassLoader().getResource(mainClass.replace('.', '/') + ".class")
        != null;
  }
}
