package org.ringwire.tools.doctor;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.tools.console.Problem;
import org.ringwire.tools.process.Leftovers;
import org.ringwire.transport.TransportProvider;

/** Which transports there are, and whether a message gets through them and back. */
final class TransportChecks {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** What is sent and comes back. */
  record Probe(long number) {}

  List<Check> all() {
    List<Check> checks = new ArrayList<>();
    List<String> names = new ArrayList<>();
    checks.add(installed(names));
    if (names.contains("loopback")) {
      checks.add(roundTrip("loopback round trip", "loopback", "doctor", Check.Status.BROKEN));
    }
    if (names.contains("tcp")) {
      checks.add(roundTrip("tcp on IPv4", "tcp", "127.0.0.1:0", Check.Status.BROKEN));
      checks.add(roundTrip("tcp on IPv6", "tcp", "[::1]:0", Check.Status.LIMITED));
    }
    if (names.contains("shm")) {
      checks.add(roundTrip("shared memory", "shm", "*", Check.Status.LIMITED));
    }
    return checks;
  }

  /** Collects the names of those that can be loaded. */
  private static Check installed(List<String> names) {
    List<String> failures = new ArrayList<>();
    Iterator<TransportProvider> providers = ServiceLoader.load(TransportProvider.class).iterator();
    boolean more = true;
    while (more) {
      try {
        more = providers.hasNext();
        if (more) {
          names.add(providers.next().name());
        }
      } catch (ServiceConfigurationError e) {
        failures.add(Problem.describe(e));
      }
    }
    String found = names.isEmpty() ? "none" : String.join(", ", names);
    if (!failures.isEmpty()) {
      return Check.limited(
          "transports", found, "some cannot be loaded: " + String.join("; ", failures));
    }
    return names.isEmpty()
        ? Check.broken("transports", found, "no transport is installed: check the class path")
        : Check.good("transports", found);
  }

  /** Between two nodes of this process. */
  private static Check roundTrip(String name, String transport, String listen, Check.Status ifNot) {
    try (Node server =
        Leftovers.open(config(1, transport, NodeDirectory.empty()).listen(listen).build())) {
      server.handle(Probe.class, Dispatch.INLINE, (probe, exchange) -> exchange.reply(probe));
      String address = Objects.requireNonNull(server.address());
      try (Node client =
          Leftovers.open(config(2, transport, NodeDirectory.of(Map.of(1, address))).build())) {
        Probe answer = client.request(1, new Probe(42), Probe.class, PATIENCE);
        return answer.number() == 42
            ? Check.good(name, "works at " + address)
            : new Check(name, Check.Status.BROKEN, "a message came back altered", "report this");
      }
    } catch (RuntimeException e) {
      return new Check(name, ifNot, "does not work", Problem.describe(e));
    }
  }

  private static NodeConfig.Builder config(int id, String transport, NodeDirectory peers) {
    return NodeConfig.builder(id)
        .cluster("doctor")
        .transport(transport)
        .peers(peers)
        .lookup(MethodHandles.lookup());
  }
}
