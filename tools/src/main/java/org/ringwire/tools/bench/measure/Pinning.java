package org.ringwire.tools.bench.measure;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.ringwire.tools.console.CommandException;

/** Cores that the processes of a benchmark are bound to. */
public enum Pinning {
  /** Wherever the scheduler puts them. */
  NONE,
  /** Both on the first core that this process may use. */
  ONE,
  /** The sender on that one, the receiver on the second. */
  TWO;

  private static final String TASKSET = "taskset";

  /** As people write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Words that precede the command of the sender. */
  public List<String> sender() {
    return this == NONE ? List.of() : on(0);
  }

  /** Words that precede the command of the receiver. */
  public List<String> receiver() {
    return this == NONE ? List.of() : on(this == ONE ? 0 : 1);
  }

  /**
   * Complains where this machine cannot do it.
   *
   * @throws CommandException if there is no taskset, or no second core
   */
  public void check() {
    if (this == NONE) {
      return;
    }
    if (!isOnPath()) {
      throw new CommandException(
          "--pin needs the program taskset: install the package util-linux, or leave --pin out");
    }
    if (this == TWO && AllowedCores.list().size() < 2) {
      throw new CommandException(
          "--pin two needs two cores, and this process may use one: use --pin one");
    }
  }

  private static List<String> on(int index) {
    return List.of(TASKSET, "-c", Integer.toString(AllowedCores.list().get(index)));
  }

  private static boolean isOnPath() {
    String path = System.getenv("PATH");
    return path != null
        && Stream.of(path.split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, TASKSET)));
  }
}
