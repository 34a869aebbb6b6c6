package org.ringwire.tools.node;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import org.ringwire.discovery.FileDirectory;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.Problem;

/** A file that says where nodes are: {@code {"2": "host:port", ...}}. */
final class PeersFile {

  private PeersFile() {}

  /**
   * Reads one, and again whenever it changes, until the process ends.
   *
   * @throws CommandException if it is not there or says something else
   */
  static FileDirectory watch(Path file) {
    try {
      return FileDirectory.watch(file);
    } catch (UncheckedIOException e) {
      throw new CommandException(
          "the peers file cannot be read: "
              + Problem.describe(file, Objects.requireNonNull(e.getCause()))
              + ": correct --peers",
          e);
    } catch (IllegalArgumentException e) {
      throw new CommandException("the peers " + e.getMessage(), e);
    }
  }
}
