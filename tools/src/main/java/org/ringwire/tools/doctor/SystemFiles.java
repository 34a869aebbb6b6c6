package org.ringwire.tools.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The files in which Linux tells about limits, below a root that tests may choose. */
final class SystemFiles {

  private final Path root;

  SystemFiles(Path root) {
    this.root = root;
  }

  /** First line of a file that exists and can be read. */
  Optional<String> line(String file) {
    return lines(file).stream().findFirst().map(String::strip);
  }

  /** Lines of a file; none if it does not exist or cannot be read. */
  List<String> lines(String file) {
    try {
      return Files.readAllLines(root.resolve(file));
    } catch (IOException _) {
      return List.of(); // not this system, or not for us: there is nothing to tell
    }
  }

  /** The value behind a name and a colon, as in {@code /proc/meminfo}. */
  Optional<String> value(String file, String name) {
    return lines(file).stream()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }

  /** The soft limit in a line of {@code /proc/self/limits}, for example {@code 1024 files}. */
  Optional<String> softLimit(String name) {
    return lines("proc/self/limits").stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip().replaceFirst("\\s.*", ""))
        .findFirst();
  }

  /** Bytes that may still be written to the file system of a folder; empty if there is none. */
  OptionalLong freeBytes(String folder) {
    try {
      return OptionalLong.of(Files.getFileStore(root.resolve(folder)).getUsableSpace());
    } catch (IOException _) {
      return OptionalLong.empty(); // no such folder on this system
    }
  }
}
