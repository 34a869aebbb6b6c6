package org.ringwire.benchmarks.reference.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ringwire.tools.process.Leftovers;

/** A folder for the files and sockets of one measurement, which a signal does not leave behind. */
public final class Workspace implements AutoCloseable {
  /** Memory, on Linux; elsewhere files in the temporary folder have to do. */
  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path folder;

  private Workspace(Path folder) {
    this.folder = folder;
  }

  /** Makes one. */
  public static Workspace create() throws IOException {
    String prefix = "ringwire-bench";
    return new Workspace(
        Files.isWritable(MEMORY) ? Leftovers.folder(MEMORY, prefix) : Leftovers.folder(prefix));
  }

  /** Where it is. */
  public Path folder() {
    return folder;
  }

  /** Removes it with all that is in it. */
  @Override
  public void close() {
    Leftovers.delete(folder);
  }
}
