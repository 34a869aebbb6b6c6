package org.ringwire.benchmarks.reference.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.benchmarks.reference.harness.Settings.Pin;
import org.ringwire.tools.console.CommandException;

/**
 * The cores that the two processes are bound to.
 *
 * @param sender core number, or {@link #ANY}
 * @param receiver core number, or {@link #ANY}
 */
public record Cores(int sender, int receiver) {
  /** Wherever the scheduler puts it. */
  public static final int ANY = -1;

  /** The first core, or the first two, of those that this process may use (Linux). */
  public static Cores of(Pin pin) {
    if (pin == Pin.NONE) {
      return new Cores(ANY, ANY);
    }
    List<Integer> allowed = allowed();
    if (pin == Pin.TWO && allowed.size() < 2) {
      throw new CommandException("--pin two needs two cores, and this process may use one");
    }
    return new Cores(allowed.get(0), allowed.get(pin == Pin.ONE ? 0 : 1));
  }

  private static List<Integer> allowed() {
    String prefix = "Cpus_allowed_list:";
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith(prefix))
          .map(line -> parse(line.substring(prefix.length()).trim()))
          .findFirst()
          .orElseThrow(() -> new CommandException("--pin: the kernel does not tell which cores"));
    } catch (IOException e) {
      throw new CommandException("--pin needs Linux: " + e.getMessage());
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

  /** The words that start a command on this core. */
  public static List<String> prefix(int core) {
    return core == ANY ? List.of() : List.of("taskset", "-c", Integer.toString(core));
  }
}
