package org.ringwire.benchmarks.reference.c;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Workspace;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.process.Leftovers;

/**
 * A program in C, compiled where it runs.
 *
 * @param name of the file, without {@code .c}
 */
public record CSource(String name) {
  private static final List<String> HEADERS = List.of("reference.h", "uring.h");

  /** Exit status of a program that needs what is not to be had here, which it has said. */
  private static final int UNUSABLE = 2;

  /** What gives the command line of a compiled program. */
  public interface Command {
    /** With the program's file. */
    List<String> of(Path program);
  }

  /** Compiles it, runs it, and returns what it has printed. */
  public String run(Settings settings, String compiler, Command command)
      throws IOException, InterruptedException {
    try (Workspace workspace = Workspace.create()) {
      Path program = compile(compiler, workspace.folder());
      settings.forProgramInC().announce();
      return output(command.of(program));
    }
  }

  /** The first of these programs that is on the path, or is a file. */
  public static Optional<String> find(List<String> names) {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return names.stream()
        .filter(name ->
            (name.contains("/") && Files.isExecutable(Path.of(name)))
                || Arrays.stream(path.split(File.pathSeparator, -1))
                    .anyMatch(folder -> Files.isExecutable(Path.of(folder, name))))
        .findFirst();
  }

  private Path compile(String compiler, Path folder) throws IOException, InterruptedException {
    Path text = folder.resolve(name + ".c");
    copy(text);
    for (String header : HEADERS) {
      copy(folder.resolve(header));
    }
    Path program = folder.resolve(name);
    Process process =
        Leftovers.start(
            new ProcessBuilder(
                    compiler, "-O2", "-o", program.toString(), text.toString(), "-pthread")
                .redirectErrorStream(true));
    try {
      String messages = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        System.err.print(messages);
        throw new CommandException(compiler + " does not compile " + name + ".c: see above");
      }
      return program;
    } finally {
      Leftovers.forget(process);
    }
  }

  private static void copy(Path file) throws IOException {
    String name = file.getFileName().toString();
    try (InputStream text = CSource.class.getResourceAsStream(name)) {
      Files.copy(Objects.requireNonNull(text, name), file);
    }
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    // Its standard input stays open as long as this process lives: that is how it knows.
    Process process = Leftovers.start(new ProcessBuilder(command).redirectError(Redirect.INHERIT));
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status == UNUSABLE) {
        throw new CommandException("the program in C cannot run here: see above");
      }
      if (status != 0) {
        throw new IOException("the program in C ended with status " + status);
      }
      return output;
    } finally {
      process.destroyForcibly();
      Leftovers.forget(process);
    }
  }
}
