package org.ringwire.benchmarks.reference.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder for the files and sockets of one measurement. */
public final class Workspace implements AutoCloseable {
  /** Memory, on Linux; elsewhere files in the temporary folder have to do. */
  private static final Path MEMORY = Path.of("/dev/shm");

  private static final int ATTEMPTS = 5;

  private final Path folder;

  private Workspace(Path folder) {
    this.folder = folder;
  }

  /** Makes one. */
  public static Workspace create() throws IOException {
    String prefix = "ringwire-bench";
    return new Workspace(
        Files.isWritable(MEMORY)
            ? Files.createTempDirectory(MEMORY, prefix)
            : Files.createTempDirectory(prefix));
  }

  /** Where it is. */
  public Path folder() {
    return folder;
  }

  /** Removes it with all that is in it. */
  @Override
  public void close() {
    delete(folder);
  }

  /** Removes a folder with all that is in it, also while another process does the same. */
  static void delete(Path folder) {
    for (int attempts = 0; Files.exists(folder) && attempts < ATTEMPTS; attempts++) {
      try (Stream<Path> tree = Files.walk(folder)) {
        for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(path);
        }
      } catch (IOException | UncheckedIOException _) {
        // something came or went meanwhile
      }
    }
  }
}
