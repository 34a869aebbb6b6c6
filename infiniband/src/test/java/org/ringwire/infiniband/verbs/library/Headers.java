package org.ringwire.infiniband.verbs.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private static final long PATIENCE_SECONDS = 120;

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

  private static void requireCompiler() throws IOException, InterruptedException {
    Files.createDirectories(FOLDER);
    if (run(FOLDER, List.of("cc", "--version")).status() != 0) {
      run(FOLDER, List.of("apt-get", "-qq", "update"));
      run(FOLDER, List.of("apt-get", "-qq", "-y", "install", "gcc", "libc6-dev"));
    }
    assumeTrue(
        run(FOLDER, List.of("cc", "--version")).status() == 0,
        "skipped: no C compiler, and none can be installed");
  }

  /** Where {@code infiniband/verbs.h} is. */
  private static Path include() throws IOException, InterruptedException {
    Path installed = Path.of("/usr/include");
    if (Files.exists(installed.resolve("infiniband/verbs.h"))) {
      return installed;
    }
    Path unpacked = FOLDER.resolve("usr/include");
    if (!Files.exists(unpacked.resolve("infiniband/verbs.h"))) {
      unpack();
    }
    assumeTrue(
        Files.exists(unpacked.resolve("infiniband/verbs.h")),
        "skipped: the headers of libibverbs are neither installed nor can be downloaded by apt-get");
    return unpacked;
  }

  private static void unpack() throws IOException, InterruptedException {
    List<String> download =
        List.of("apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", "libibverbs-dev");
    if (run(FOLDER, download).status() != 0) {
      run(FOLDER, List.of("apt-get", "-qq", "update"));
      run(FOLDER, download);
    }
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".deb")).toList()) {
        run(FOLDER, List.of("dpkg-deb", "-x", file.toString(), FOLDER.toString()));
      }
    }
  }

  private record Run(int status, String output) {}

  private static Run run(Path folder, List<String> words) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(words)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectInput(new File("/dev/null"))
              .start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return new Run(-1, "did not end");
      }
      return new Run(process.exitValue(), output);
    } catch (IOException e) {
      return new Run(-1, String.valueOf(e.getMessage()));
    }
  }
}
