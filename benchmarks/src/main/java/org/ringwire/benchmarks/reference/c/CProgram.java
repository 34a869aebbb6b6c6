package org.ringwire.benchmarks.reference.c;

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
import org.ringwire.benchmarks.reference.harness.Contender;
import org.ringwire.benchmarks.reference.harness.Cores;
import org.ringwire.benchmarks.reference.harness.ReceiverReport;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Result.Allocated;
import org.ringwire.benchmarks.reference.harness.Result.Cost;
import org.ringwire.benchmarks.reference.harness.Result.Ran;
import org.ringwire.benchmarks.reference.harness.Result.Rtt;
import org.ringwire.benchmarks.reference.harness.Result.Timed;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;
import org.ringwire.benchmarks.reference.harness.Settings.UsageException;

/** Compiles {@code tcp_reference.c} on the spot and runs it. */
public final class CProgram implements Contender {
  private static final String SOURCE = "tcp_reference.c";

  /** Needs a C compiler when it runs. */
  public CProgram() {}

  @Override
  public String medium() {
    return "tcp";
  }

  @Override
  public void requireSupported(Settings settings) {
    Settings.require(
        settings.kind() != Kind.REQUESTS,
        "c has no requests; it is the limit for stream and pingpong");
    Settings.require(settings.threads() == 1, "c has one thread, whatever is compared with it");
    Settings.require(
        settings.mode() == Mode.PARK || settings.kind() == Kind.PINGPONG,
        "only pingpong spins; the receiver of a stream never waits for long");
  }

  @Override
  public Result run(Settings settings, Launch launch) throws Exception {
    String compiler = compiler();
    Path folder = Files.createTempDirectory("ringwire-c");
    try {
      Path program = compile(compiler, folder);
      Map<String, Double> values = parse(output(command(program, settings, launch.writeLength())));
      return result(settings, values, launch.cpus());
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

  private Result result(Settings settings, Map<String, Double> values, int cpus) {
    double seconds = value(values, "seconds");
    if (settings.kind() == Kind.STREAM) {
      // A stream of bytes has no messages: as many as would fit, without any header.
      long messages = (long) (value(values, "bytes") / Math.max(1, settings.payloadLength()));
      Timed timed = new Timed(seconds, messages, null);
      return Result.of(settings, ran(settings, cpus), timed, null, cost(values));
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
    ReceiverReport counts = new ReceiverReport(messages, 0, 0, 0, 0, 0); // it fails otherwise
    Timed timed = new Timed(seconds, messages, rtt);
    return Result.of(settings, ran(settings, cpus), timed, counts, cost(values));
  }

  private Ran ran(Settings settings, int cpus) {
    return new Ran(settings.system(), medium(), null, cpus);
  }

  private static Cost cost(Map<String, Double> values) {
    return new Cost(Allocated.UNKNOWN, value(values, "cpu"));
  }

  private static double value(Map<String, Double> values, String name) {
    return Objects.requireNonNull(values.get(name), name);
  }
}
