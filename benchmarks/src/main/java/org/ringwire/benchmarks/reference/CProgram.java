package org.ringwire.benchmarks.reference;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.ringwire.benchmarks.reference.Result.Allocated;
import org.ringwire.benchmarks.reference.Result.Rtt;
import org.ringwire.benchmarks.reference.Result.Timed;
import org.ringwire.benchmarks.reference.Settings.Kind;
import org.ringwire.benchmarks.reference.Settings.UsageException;

/** Compiles {@code tcp_reference.c} on the spot and runs it. */
final class CProgram {
  private static final String SOURCE = "tcp_reference.c";

  private CProgram() {}

  /**
   * @param writeLength bytes that the stream gives the kernel at a time
   */
  static Result run(Settings settings, int writeLength, int cpus) throws Exception {
    String compiler = compiler();
    Path folder = Files.createTempDirectory("ringwire-c");
    try {
      Path program = compile(compiler, folder);
      Map<String, Double> values = parse(output(command(program, settings, writeLength)));
      return result(settings, values, cpus);
    } finally {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  /** The compiler named by CC, or the first of the usual ones on the path. */
  private static String compiler() {
    String chosen = System.getenv("CC");
    List<String> names =
        chosen == null || chosen.isBlank() ? List.of("cc", "gcc", "clang") : List.of(chosen.trim());
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    for (String name : names) {
      boolean found =
          (name.contains("/") && Files.isExecutable(Path.of(name)))
              || Arrays.stream(path.split(File.pathSeparator, -1))
                  .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
      if (found) {
        return name;
      }
    }
    throw new UsageException(
        "no C compiler: looked for %s on the path; install one (Debian: sudo apt install gcc libc6-dev)"
            .formatted(String.join(", ", names)));
  }

  private static Path compile(String compiler, Path folder) throws Exception {
    Path source = folder.resolve(SOURCE);
    try (InputStream text = CProgram.class.getResourceAsStream(SOURCE)) {
      Files.copy(Objects.requireNonNull(text, SOURCE), source);
    }
    Path program = folder.resolve("tcp_reference");
    Process process =
        new ProcessBuilder(compiler, "-O2", "-o", program.toString(), source.toString(), "-pthread")
            .redirectErrorStream(true)
            .start();
    String messages = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new UsageException(compiler + " does not compile " + SOURCE + ":\n" + messages);
    }
    return program;
  }

  private static List<String> command(Path program, Settings settings, int writeLength) {
    Cores cores = Cores.of(settings.pin());
    // A ping carries as many bytes as the frame of the Java programs.
    int length =
        settings.kind() == Kind.STREAM ? writeLength : Sample.frameLength(settings.payloadLength());
    return List.of(
        program.toString(),
        settings.kind().label(),
        Integer.toString(length),
        settings.mode().name().toLowerCase(Locale.ROOT),
        Integer.toString(cores.sender()),
        Integer.toString(cores.receiver()),
        Double.toString(settings.durationSeconds()),
        Double.toString(settings.warmupSeconds()));
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    // Its standard input stays open as long as this process lives: that is how it knows.
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException("the C program ended with status " + status);
      }
      return output;
    } finally {
      process.destroyForcibly();
    }
  }

  private static Map<String, Double> parse(String line) {
    Map<String, Double> values = new HashMap<>();
    for (String pair : line.trim().split(" ", -1)) {
      int equals = pair.indexOf('=');
      values.put(pair.substring(0, equals), Double.parseDouble(pair.substring(equals + 1)));
    }
    return values;
  }

  private static Result result(Settings settings, Map<String, Double> values, int cpus) {
    double seconds = value(values, "seconds");
    if (settings.kind() == Kind.STREAM) {
      // A stream of bytes has no messages: as many as would fit, without any header.
      long messages = (long) (value(values, "bytes") / Math.max(1, settings.payloadLength()));
      Timed timed = new Timed(seconds, messages, null);
      return Result.of(settings, "c", timed, null, Allocated.UNKNOWN, cpus);
    }
    Rtt rtt =
        new Rtt(
            value(values, "mean"),
            value(values, "p50"),
            value(values, "p90"),
            value(values, "p99"),
            value(values, "p999"),
            value(values, "max"));
    long messages = (long) value(values, "messages");
    ReceiverReport counts = new ReceiverReport(messages, 0, 0, 0, 0); // it fails otherwise
    Timed timed = new Timed(seconds, messages, rtt);
    return Result.of(settings, "c", timed, counts, Allocated.UNKNOWN, cpus);
  }

  private static double value(Map<String, Double> values, String name) {
    return Objects.requireNonNull(values.get(name), name);
  }
}
