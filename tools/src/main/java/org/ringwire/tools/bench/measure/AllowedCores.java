package org.ringwire.tools.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.tools.console.CommandException;

/**
 * The cores that this process may use (Linux), which need not be the first of the machine: those
 * that a container has, or that {@code taskset} leaves. All that is compared is bound to the same.
 */
public final class AllowedCores {

  private AllowedCores() {}

  /**
   * Their numbers, rising.
   *
   * @throws CommandException if the system does not tell
   */
  public static List<Integer> list() {
    String prefix = "Cpus_allowed_list:";
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith(prefix))
          .map(line -> parse(line.substring(prefix.length()).trim()))
          .findFirst()
          .orElseThrow(() -> new CommandException("--pin: the kernel does not tell which cores"));
    } catch (IOException e) {
      throw new CommandException("--pin needs Linux: " + e.getMessage(), e);
    }
  }

  /** Parses the kernel's list format, for example {@code 0-1,4}. */
  static List<Integer> parse(String list) {
    List<Integer> cores = new ArrayList<>();
    for (String part : list.split(",", -1)) {
      int dash = part.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
      for (int core = first; core <= last; core++) {
        cores.add(core);
      }
    }
    return cores;
  }
}
