package org.ringwire.tools.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ringwire.testing.ProgramRun;

/**
 * The program {@code nft}: that of the system, or, on Debian, the one from its packages, unpacked
 * beneath the build folder; nothing is installed.
 */
final class Nft {

  private static final Path FOLDER = Path.of("target", "nft");
  private static final List<String> PACKAGES = List.of("nftables", "libnftables1", "libnftnl11");

  /** With an end where the network does not answer. */
  private static final List<String> APT_GET =
      List.of("apt-get", "-qq", "-o", "Acquire::Retries=3", "-o", "Acquire::http::Timeout=20");

  private final List<String> words;
  private final Map<String, String> environment;

  private Nft(List<String> words, Map<String, String> environment) {
    this.words = words;
    this.environment = environment;
  }

  /** The program, or one that does not work and says why. */
  static Nft find() {
    Nft installed = new Nft(List.of("nft"), Map.of());
    if (installed.obstacle().isEmpty()) {
      return installed;
    }
    Path unpacked = FOLDER.resolve("usr/sbin/nft").toAbsolutePath();
    if (!Files.exists(unpacked)) {
      unpack();
    }
    return new Nft(List.of(unpacked.toString()), Map.of("LD_LIBRARY_PATH", libraries()));
  }

  private static void unpack() {
    try {
      Files.createDirectories(FOLDER);
      List<String> download = new ArrayList<>(APT_GET);
      download.add("download");
      download.addAll(PACKAGES);
      if (!ProgramRun.of(FOLDER, download).isGood()) {
        List<String> update = new ArrayList<>(APT_GET);
        update.add("update");
        ProgramRun.of(FOLDER, update);
        ProgramRun.of(FOLDER, download);
      }
      try (Stream<Path> files = Files.list(FOLDER)) {
        for (Path file : files.filter(path -> path.toString().endsWith(".deb")).toList()) {
          ProgramRun.of("dpkg-deb", "-x", file.toString(), FOLDER.toString());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String libraries() {
    try (Stream<Path> folders = Files.walk(FOLDER.resolve("usr/lib"))) {
      return folders
          .filter(Files::isDirectory)
          .map(folder -> folder.toAbsolutePath().toString())
          .reduce((one, other) -> one + ":" + other)
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  /** Why it cannot be used; empty if it can. */
  String obstacle() {
    ProgramRun run = in(List.of(), "list", "ruleset");
    return run.isGood() ? "" : "nft does not work here: " + run.output();
  }

  /** Runs it behind other words, for example in a namespace. */
  ProgramRun in(List<String> launcher, String... arguments) {
    List<String> all = new ArrayList<>(launcher);
    all.addAll(words);
    all.addAll(List.of(arguments));
    return ProgramRun.of(Path.of("."), environment, all);
  }
}
