package org.ringwire.benchmarks.reference.harness;

import java.util.List;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;
import org.ringwire.tools.console.CommandException;

/** A system that moves objects, or at least bytes, between two processes. */
public interface Contender {
  /**
   * How it was started.
   *
   * @param words of the command line, for processes of the same kind
   * @param cpus cores of the machine, which a pinned process does not see
   * @param writeLength bytes that a stream without messages gives the kernel at a time
   */
  record Launch(List<String> words, int cpus, int writeLength) {}

  /** What carries the bytes: {@code tcp}, {@code udp}, {@code unix}, {@code shm} or {@code ipc}. */
  String medium();

  /**
   * Says in one line what this system does not do.
   *
   * @throws CommandException if it cannot do this measurement
   */
  void requireSupported(Settings settings);

  /**
   * Whether a stream is bytes without messages, of which some are given to the kernel at a time.
   */
  default boolean hasWriteSize(Kind kind) {
    return false;
  }

  /** How it waits unless it is told. */
  default Mode defaultMode(Kind kind) {
    return Mode.PARK;
  }

  /**
   * Measures with two processes.
   *
   * @throws CommandException if something that it needs is missing
   */
  Result run(Settings settings, Launch launch) throws Exception;
}
