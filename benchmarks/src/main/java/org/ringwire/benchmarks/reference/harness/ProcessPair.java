package org.ringwire.benchmarks.reference.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.Contender.Launch;
import org.ringwire.tools.bench.measure.MeasuredHeap;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.process.JvmOptions;
import org.ringwire.tools.process.Leftovers;
import org.ringwire.tools.process.ParentLink;

/**
 * Starts receiver and sender as two JVMs with the same flags, whatever this one was started with,
 * and hands on the sender's result.
 *
 * <p>A child's standard input is a pipe whose other end only this process holds: when this process
 * ends, however it ends, the pipe closes and {@link #endWithParent} ends the child.
 */
public final class ProcessPair {
  /** Precedes the address in the line that the receiver prints. */
  public static final String ADDRESS_LINE = "ADDRESS ";

  /** Of the package that knows all contenders, which knows this one. */
  private static final String MAIN = "org.ringwire.benchmarks.reference.ReferenceMain";

  private ProcessPair() {}

  /** Returns the line that the sender printed; throws when one of the two fails. */
  static String run(JavaContender contender, Settings settings, Launch launch)
      throws IOException, InterruptedException {
    try (Workspace workspace = Workspace.create()) {
      List<String> words = new ArrayList<>(launch.words());
      words.addAll(List.of("--cpus", Integer.toString(launch.cpus())));
      words.addAll(List.of("--folder", workspace.folder().toString()));
      return run(settings, contender.jvmFlags(settings), words);
    }
  }

  private static String run(Settings settings, List<String> flags, List<String> words)
      throws IOException, InterruptedException {
    Cores cores = Cores.of(settings.pin());
    Process receiver = start(cores.receiver(), flags, words, List.of("--role", "receiver"));
    try (BufferedReader receiverOutput = reader(receiver)) {
      String address = readAddress(receiver, receiverOutput);
      Process sender =
          start(cores.sender(), flags, words, List.of("--role", "sender", "--address", address));
      try (BufferedReader senderOutput = reader(sender)) {
        settings.announce();
        String line = senderOutput.readLine();
        requireSuccess(sender, "sender");
        requireSuccess(receiver, "receiver");
        if (line == null) {
          throw new IOException("the sending process printed nothing");
        }
        return line;
      } finally {
        end(sender);
      }
    } finally {
      end(receiver);
    }
  }

  private static void end(Process process) {
    process.destroyForcibly();
    Leftovers.forget(process);
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static String readAddress(Process receiver, BufferedReader output)
      throws IOException, InterruptedException {
    String line = output.readLine();
    if (line == null || !line.startsWith(ADDRESS_LINE)) {
      requireSuccess(receiver, "receiver");
      throw new IOException("the receiving process did not tell its address: " + line);
    }
    return line.substring(ADDRESS_LINE.length());
  }

  private static void requireSuccess(Process process, String role)
      throws IOException, InterruptedException {
    int status = process.waitFor();
    if (status == 2) {
      throw new CommandException(role + ": see the line above");
    }
    if (status != 0) {
      throw new IOException("the process of the " + role + " ended with status " + status);
    }
  }

  private static Process start(int core, List<String> flags, List<String> words, List<String> role)
      throws IOException {
    List<String> command = new ArrayList<>(Cores.prefix(core));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(ParentLink.QUICK_END);
    command.addAll(JvmOptions.ofEnvironment());
    // Those of ./ringwire; the collector would be another one for a process on one core.
    command.addAll(MeasuredHeap.options());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(MAIN);
    command.addAll(words);
    command.addAll(role);
    try {
      return Leftovers.start(new ProcessBuilder(command).redirectError(Redirect.INHERIT));
    } catch (IOException e) {
      if (core != Cores.ANY) {
        throw new CommandException("--pin needs taskset (package util-linux): " + e.getMessage());
      }
      throw e;
    }
  }

  /**
   * In a child: ends this process at once when the one that started it is gone.
   *
   * @param folder that nobody else would remove then, or null
   */
  public static void endWithParent(@Nullable Path folder) {
    if (folder != null) {
      Leftovers.addPath(folder);
    }
    ParentLink.endWithParent();
  }
}
