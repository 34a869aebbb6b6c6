package org.ringwire.benchmarks.runs;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.ringwire.benchmarks.reference.PeerSystem;
import org.ringwire.benchmarks.runs.Target.Program;

/**
 * A system that takes part.
 *
 * @param name in {@code --systems}
 * @param description one line
 * @param words of its command that do not depend on the measurement
 */
public record ComparedSystem(String name, String description, Program program, List<String> words) {
  private static final List<ComparedSystem> ALL =
      Stream.concat(
              Stream.of(
                  ringwire(
                      "ringwire-tcp", "tcp", "hand", "Ringwire, codec by hand, objects reused"),
                  ringwire("ringwire-shm", "shm", "hand", "the same over shared memory"),
                  ringwire(
                      "ringwire-tcp-record",
                      "tcp",
                      "record",
                      "Ringwire, a record with a generated codec, a new object per message"),
                  ringwire("ringwire-shm-record", "shm", "record", "the same over shared memory")),
              PeerSystem.all().stream()
                  .map(peer ->
                      new ComparedSystem(
                          peer.label(),
                          peer.description(),
                          Program.REFERENCE,
                          List.of("--system", peer.label()))))
          .toList();

  private static ComparedSystem ringwire(
      String name, String transport, String codec, String description) {
    return new ComparedSystem(
        name, description, Program.RINGWIRE, List.of("--transport", transport, "--codec", codec));
  }

  /** All, Ringwire first. */
  public static List<ComparedSystem> all() {
    return ALL;
  }

  public static List<String> names() {
    return ALL.stream().map(ComparedSystem::name).toList();
  }

  public static Optional<ComparedSystem> find(String name) {
    return ALL.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
