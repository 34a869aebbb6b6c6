package org.ringwire.infiniband.verbs.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The headers of {@code libibverbs}: those of the system, or, on Debian, those of its package,
 * unpacked beneath the build folder; nothing is installed but a missing C compiler, and that only
 * by a user who may.
 */
public final class Headers {

  private static final Path FOLDER = Path.of("target", "headers").toAbsolutePath();
  private static final Path UNPACKED = FOLDER.resolve("unpacked");

  /** Of a program: three of them, one after the other, take less than a test may. */
  private static final long PATIENCE_SECONDS = 50;

  private static final long INSTALL_SECONDS = 150; // one that is killed leaves half a compiler

  /** Made when the headers were not to be had, so that not every process waits for them. */
  private static final Path FAILURE = FOLDER.resolve("failure");

  private static final Duration MEMORY = Duration.ofMinutes(10);

  private Headers() {}

  /** Output of a C program; the test is skipped where it cannot be compiled. */
  static String compileAndRun(Path source) throws IOException, InterruptedException {
    requireCompiler();
    Path include = include();
    Path binary = source.resolveSibling("program");
    Run compiled =
        run(
            FOLDER,
            List.of("cc", "-I", include.toString(), "-o", binary.toString(), source.toString()));
    assertThat(compiled.status()).as(compiled.output()).isZero();
    return run(FOLDER, List.of(binary.toString())).output();
  }

  /** Makes a shared library of a C source; the test is skipped where there is no compiler. */
  static void compileLibrary(Path source, Path library) throws IOException, InterruptedException {
    requireCompiler();
    Run compiled =
        run(FOLDER, List.of("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString()));
    assertThat(compiled.status()).as(compiled.output()).isZero();
  }

  /** The same of a source that includes the headers; skipped where there are none, too. */
  public static void compileVerbsLibrary(Path source, Path library)
      throws IOException, InterruptedException {
    requireCompiler();
    Run compiled =
        run(
            FOLDER,
            List.of(
                "cc",
                "-shared",
                "-fPIC",
                "-I",
                include().toString(),
                "-o",
                library.toString(),
                source.toString()));
    assertThat(compiled.status()).as(compiled.output()).isZero();
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  /** Other processes run tests at the same time, which may need the same. */
  private static synchronized void alone(Work work) throws IOException, InterruptedException {
    Files.createDirectories(FOLDER);
    try (FileChannel file =
            FileChannel.open(
                FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = file.lock()) {
      work.run();
    }
  }

  private static void requireCompiler() throws IOException, InterruptedException {
    alone(() -> {
      if (!hasCompiler()) {
        run(FOLDER, aptGet("update"));
        run(FOLDER, aptGet("-y", "install", "gcc", "libc6-dev"), INSTALL_SECONDS);
      }
    });
    assumeTrue(hasCompiler(), "skipped: no C compiler, and none can be installed");
  }

  private static boolean hasCompiler() throws InterruptedException {
    return run(FOLDER, List.of("cc", "--version")).status() == 0;
  }

  /** With an end where the network does not answer. */
  private static List<String> aptGet(String... words) {
    List<String> all = new ArrayList<>(List.of("apt-get", "-qq"));
    for (String option :
        List.of("APT::Sandbox::User=root", "Acquire::Retries=3", "Acquire::http::Timeout=20")) {
      all.addAll(List.of("-o", option));
    }
    all.addAll(List.of(words));
    return all;
  }

  /** Where {@code infiniband/verbs.h} is. */
  private static Path include() throws IOException, InterruptedException {
    Path installed = Path.of("/usr/include");
    if (Files.exists(installed.resolve("infiniband/verbs.h"))) {
      return installed;
    }
    Path unpacked = UNPACKED.resolve("usr/include");
    alone(() -> {
      if (!Files.exists(UNPACKED) && !failedJustNow()) {
        unpack();
      }
    });
    assumeTrue(
        Files.exists(unpacked.resolve("infiniband/verbs.h")),
        "skipped: the headers of libibverbs are neither installed nor can be downloaded by apt-get");
    return unpacked;
  }

  private static boolean failedJustNow() throws IOException {
    return Files.exists(FAILURE)
        && Files.getLastModifiedTime(FAILURE).toInstant().isAfter(Instant.now().minus(MEMORY));
  }

  private static void unpack() throws IOException, InterruptedException {
    List<String> download = aptGet("download", "libibverbs-dev");
    Path parts = Files.createTempDirectory(FOLDER, "parts"); // of a download that may break off
    if (run(parts, download).status() != 0) {
      run(parts, aptGet("update"));
      run(parts, download);
    }
    Path whole = Files.createDirectory(parts.resolve("whole"));
    try (Stream<Path> files = Files.list(parts)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".deb")).toList()) {
        if (run(parts, List.of("dpkg-deb", "-x", file.toString(), whole.toString())).status()
            == 0) {
          Files.move(whole, UNPACKED, StandardCopyOption.ATOMIC_MOVE);
          return;
        }
      }
    }
    Files.write(FAILURE, new byte[0]);
  }

  /** A program that does not end in time is killed, with what it has started. */
  private record Run(int status, String output) {}

  private static Run run(Path folder, List<String> words) throws InterruptedException {
    return run(folder, words, PATIENCE_SECONDS);
  }

  private static Run run(Path folder, List<String> words, long patienceSeconds)
      throws InterruptedException {
    try {
      Path output = Files.createTempFile("ringwire-headers", ".txt"); // a pipe may stay open
      try {
        Process process =
            new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(patienceSeconds, TimeUnit.SECONDS)) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
          return new Run(-1, "did not end");
        }
        String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
        return new Run(process.exitValue(), text.strip());
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      return new Run(-1, String.valueOf(e.getMessage()));
    }
  }
}
