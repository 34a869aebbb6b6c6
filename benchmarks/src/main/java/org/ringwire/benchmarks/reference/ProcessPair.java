package org.ringwire.benchmarks.reference;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.benchmarks.reference.Settings.UsageException;

/**
 * Starts receiver and sender as two JVMs with the same flags, whatever this one was started with,
 * and hands on the sender's result.
 *
 * <p>A child's standard input is a pipe whose other end only this process holds: when this process
 * ends, however it ends, the pipe closes and {@link #endWithParent} ends the child.
 */
final class ProcessPair {
  static final String PORT_LINE = "PORT ";

  private ProcessPair() {}

  /** Returns the line that the sender printed; throws when one of the two fails. */
  static String run(Settings settings, List<String> words)
      throws IOException, InterruptedException {
    Cores cores = Cores.of(settings.pin());
    Process receiver = start(settings, cores.receiver(), words, List.of("--role", "receiver"));
    try (BufferedReader receiverOutput = reader(receiver)) {
      String port = readPort(receiver, receiverOutput);
      Process sender =
          start(settings, cores.sender(), words, List.of("--role", "sender", "--port", port));
      try (BufferedReader senderOutput = reader(sender)) {
        String line = senderOutput.readLine();
        requireSuccess(sender, "sender");
        requireSuccess(receiver, "receiver");
        if (line == null) {
          throw new IOException("the sending process printed nothing");
        }
        return line;
      } finally {
        sender.destroyForcibly();
      }
    } finally {
      receiver.destroyForcibly();
    }
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static String readPort(Process receiver, BufferedReader output)
      throws IOException, InterruptedException {
    String line = output.readLine();
    if (line == null || !line.startsWith(PORT_LINE)) {
      requireSuccess(receiver, "receiver");
      throw new IOException("the receiving process did not tell its port: " + line);
    }
    return line.substring(PORT_LINE.length());
  }

  private static void requireSuccess(Process process, String role)
      throws IOException, InterruptedException {
    int status = process.waitFor();
    if (status == 2) {
      throw new UsageException(role + ": see the line above");
    }
    if (status != 0) {
      throw new IOException("the process of the " + role + " ended with status " + status);
    }
  }

  private static Process start(Settings settings, int core, List<String> words, List<String> role)
      throws IOException {
    List<String> command = new ArrayList<>(Cores.prefix(core));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmFlags(settings));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ReferenceMain.class.getName());
    command.addAll(words);
    command.addAll(role);
    try {
      return new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    } catch (IOException e) {
      if (core != Cores.ANY) {
        throw new UsageException("--pin needs taskset (package util-linux): " + e.getMessage());
      }
      throw e;
    }
  }

  private static List<String> jvmFlags(Settings settings) {
    List<String> flags = new ArrayList<>();
    // The collector of ./ringwire; also keeps a process on one core from getting another one.
    flags.add("-XX:+UseParallelGC");
    if (settings.system().isNetty()) {
      // Netty at its best: its native library and Unsafe allowed, no sampling for leaks.
      flags.add("--enable-native-access=ALL-UNNAMED");
      flags.add("--sun-misc-unsafe-memory-access=allow");
      flags.add("-Dio.netty.leakDetection.level=disabled");
    }
    return flags;
  }

  /** In a child: ends this process at once when the one that started it is gone. */
  static void endWithParent() {
    Thread.ofPlatform()
        .daemon()
        .name("parent-watch")
        .start(() -> {
          try {
            System.in.transferTo(OutputStream.nullOutputStream());
          } catch (IOException _) {
            // no longer readable: the parent is gone as well
          }
          Runtime.getRuntime().halt(1);
        });
  }
}
