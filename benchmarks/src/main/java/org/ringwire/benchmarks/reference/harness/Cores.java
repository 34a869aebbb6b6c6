package org.ringwire.benchmarks.reference.harness;

import java.util.List;
import org.ringwire.benchmarks.reference.harness.Settings.Pin;
import org.ringwire.tools.bench.measure.AllowedCores;
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
    List<Integer> allowed = AllowedCores.list();
    if (pin == Pin.TWO && allowed.size() < 2) {
      throw new CommandException("--pin two needs two cores, and this process may use one");
    }
    return new Cores(allowed.get(0), allowed.get(pin == Pin.ONE ? 0 : 1));
  }

  /** The words that start a command on this core. */
  public static List<String> prefix(int core) {
    return core == ANY ? List.of() : List.of("taskset", "-c", Integer.toString(core));
  }
}
