package org.ringwire.infiniband.verbs.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ringwire.testing.ProgramRun;

/**
 * The headers of {@code libibverbs}: those of the system, or, on Debian, those of its package,
 * unpacked beneath the build folder; nothing is installed but a missing C compiler, and that only
 * by a user who may.
 */
public final class Headers {

  private static final Path FOLDER = Path.of("target", "headers").toAbsolutePath();
  private static final Path UNPACKED = FOLDER.resolve("unpacked");

  /** Long: one that is killed leaves half a compiler. */
  private static final Duration INSTALLATION = Duration.ofSeconds(150);

  /** Made when the headers were not to be had, so that not every process waits for them. */
  private static final Path FAILURE = FOLDER.resolve("failure");

  private static final Duration MEMORY = Duration.ofMinutes(10);

  private Headers() {}

  /** Output of a C program; the test is skipped where it cannot be compiled. */
  static String compileAndRun(Path source) throws IOException, InterruptedException {
    requireCompiler();
    Path include = include();
    Path binary = source.resolveSibling("program");
    ProgramRun compiled =
        ProgramRun.of(
            FOLDER,
            List.of("cc", "-I", include.toString(), "-o", binary.toString(), source.toString()));
    assertThat(compiled.status()).as(compiled.output()).isZero();
    return ProgramRun.of(FOLDER, List.of(binary.toString())).output();
  }

  /** Makes a shared library of a C source; the test is skipped where there is no compiler. */
  static void compileLibrary(Path source, Path library) throws IOException, InterruptedException {
    requireCompiler();
    ProgramRun compiled =
        ProgramRun.of(
            FOLDER, List.of("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString()));
    assertThat(compiled.status()).as(compiled.output()).isZero();
  }

  /** The same of a source that includes the headers; skipped where there are none, too. */
  public static void compileVerbsLibrary(Path source, Path library)
      throws IOException, InterruptedException {
    requireCompiler();
    ProgramRun compiled =
        ProgramRun.of(
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
        ProgramRun.of(FOLDER, aptGet("update"));
        ProgramRun.of(FOLDER, Map.of(), aptGet("-y", "install", "gcc", "libc6-dev"), INSTALLATION);
      }
    });
    // Not a failure: who may install nothing, or has no network, can still build. CI counts these.
    assumeTrue(hasCompiler(), "skipped: no C compiler, and none can be installed");
  }

  private static boolean hasCompiler() throws InterruptedException {
    return ProgramRun.of(FOLDER, List.of("cc", "--version")).status() == 0;
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
    if (ProgramRun.of(parts, download).status() != 0) {
      ProgramRun.of(parts, aptGet("update"));
      ProgramRun.of(parts, download);
    }
    Path whole = Files.createDirectory(parts.resolve("whole"));
    try (Stream<Path> files = Files.list(parts)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".deb")).toList()) {
        if (ProgramRun.of(parts, List.of("dpkg-deb", "-x", file.toString(), whole.toString()))
                .status()
            == 0) {
          Files.move(whole, UNPACKED, StandardCopyOption.ATOMIC_MOVE);
          return;
        }
      }
    }
    Files.write(FAILURE, new byte[0]);
  }
}
