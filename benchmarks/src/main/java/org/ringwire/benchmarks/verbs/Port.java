package org.ringwire.benchmarks.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.ringwire.tools.console.CommandException;

/** What the kernel says of the port of a device. */
final class Port {

  private static final Path DEVICES = Path.of("/sys/class/infiniband");
  private static final String MAPPED_IPV4 = "0000:0000:0000:0000:0000:ffff:";
  private static final int MOST_GIDS = 256;

  private Port() {}

  /** The device of a name, or the first one. */
  static String device(String name) {
    try (Stream<Path> devices = Files.list(DEVICES)) {
      List<String> names = devices.map(path -> path.getFileName().toString()).sorted().toList();
      if (!names.isEmpty() && (name.isEmpty() || names.contains(name))) {
        return name.isEmpty() ? names.getFirst() : name;
      }
      throw new CommandException("no such RDMA device: '" + name + "', there is " + names);
    } catch (IOException e) {
      throw new CommandException(
          "there is no RDMA device here; infiniband/rdma-vm/bench.sh has a soft one", e);
    }
  }

  /** Index of the GID that Ringwire takes by itself, or -1 on InfiniBand, where none is needed. */
  static int gid(String device, int port) {
    Path folder = DEVICES.resolve(device).resolve("ports").resolve(Integer.toString(port));
    if (!read(folder.resolve("link_layer")).equals("Ethernet")) {
      return -1;
    }
    for (int index = 0; index < MOST_GIDS; index++) {
      String type = read(folder.resolve("gid_attrs/types/" + index));
      if (type.equals("RoCE v2") && read(folder.resolve("gids/" + index)).startsWith(MAPPED_IPV4)) {
        return index;
      }
    }
    return 0;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return ""; // there is no such index
    }
  }
}
