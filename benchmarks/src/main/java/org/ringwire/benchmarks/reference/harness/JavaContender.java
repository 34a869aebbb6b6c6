package org.ringwire.benchmarks.reference.harness;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** One whose two processes are JVMs. */
public interface JavaContender extends Contender {
  /**
   * What the sending process knows.
   *
   * @param folder in memory where there is such a place, for this measurement alone
   * @param cpus cores of the machine, which a pinned process does not see
   */
  record Place(Path folder, int cpus) {}

  /** Flags of both JVMs, besides those that all have. */
  default List<String> jvmFlags(Settings settings) {
    return List.of();
  }

  /**
   * The receiving process: returns when the sender is gone.
   *
   * @param listening is told, once, what the sender needs to find this process
   */
  void receive(Settings settings, Place place, Consumer<String> listening) throws Exception;

  /**
   * The sending process.
   *
   * @param address what the receiver told
   */
  Result send(Settings settings, Place place, String address) throws Exception;

  @Override
  default Result run(Settings settings, Launch launch) throws Exception {
    return Result.fromJson(ProcessPair.run(this, settings, launch));
  }
}
