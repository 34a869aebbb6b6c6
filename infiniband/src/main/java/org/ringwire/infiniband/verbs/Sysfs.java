package org.ringwire.infiniband.verbs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.ringwire.infiniband.verbs.types.GidType;

/** What the system tells about a port in files, and verbs of all versions do not. */
final class Sysfs {

  private static final Path ROOT = Path.of("/sys/class/infiniband");
  private static final String EMPTY_GID = "0000:0000:0000:0000:0000:0000:0000:0000";

  private final Path folder;

  Sysfs(String device, int port) {
    this(ROOT, device, port);
  }

  Sysfs(Path root, String device, int port) {
    folder = root.resolve(device).resolve("ports").resolve(Integer.toString(port));
  }

  /** Whether an entry of the table of addresses is known to be empty. */
  boolean isEmpty(int index) {
    return line(folder.resolve("gids").resolve(Integer.toString(index))).equals(EMPTY_GID);
  }

  GidType gidType(int index) {
    String type = line(folder.resolve("gid_attrs/types").resolve(Integer.toString(index)));
    return switch (type) {
      case "RoCE v2" -> GidType.ROCE_V2;
      case "IB/RoCE v1" -> GidType.INFINIBAND_OR_ROCE_V1;
      default -> GidType.UNKNOWN;
    };
  }

  String networkInterface(int index) {
    return line(folder.resolve("gid_attrs/ndevs").resolve(Integer.toString(index)));
  }

  Map<String, Long> counters() {
    Map<String, Long> counters = new HashMap<>();
    for (String kind : new String[] {"counters", "hw_counters"}) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.resolve(kind))) {
        for (Path file : files) {
          String value = line(file);
          if (!value.isEmpty() && value.chars().allMatch(Character::isDigit)) {
            counters.put(String.valueOf(file.getFileName()), Long.parseUnsignedLong(value));
          }
        }
      } catch (IOException _) {
        // Soft devices have only one kind.
      }
    }
    return counters;
  }

  /** First line of a file; empty if it cannot be read, as for entries that are empty. */
  private static String line(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException _) {
      return "";
    }
  }
}
