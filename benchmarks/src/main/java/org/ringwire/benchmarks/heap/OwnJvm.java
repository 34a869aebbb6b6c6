package org.ringwire.benchmarks.heap;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.tools.process.Leftovers;
import org.ringwire.tools.process.ParentLink;
import org.ringwire.tools.process.Watched;

/** Starts further JVMs with the flags of this one, which end with it. */
public final class OwnJvm {
  private OwnJvm() {}

  /**
   * Starts one.
   *
   * @param arguments of the main class
   * @throws IOException if it cannot be started, or this one is ending
   */
  public static Process start(Class<?> main, List<String> arguments) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add(ParentLink.QUICK_END);
    words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.addAll(Watched.words(main.getName(), arguments));
    return Leftovers.start(
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  /** It need not go on. */
  public static void end(Process process) {
    process.destroyForcibly();
    Leftovers.forget(process);
  }
}
