package org.ringwire.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.Node;
import org.ringwire.NodeMetrics;
import org.ringwire.NodeMetrics.ConnectionMetrics;

/**
 * Shows {@link Node#metrics()} as meters named {@code ringwire.*}, tagged with {@code node}, and
 * those of connections, if wanted, with {@code peer}. One snapshot serves all meters for half a
 * second, so that a scrape costs one. Any thread.
 *
 * <p>Meters of a connection come when a scrape first finds it, which shows them from the next
 * scrape on, and go when it has gone; one that has taken its place has new ones, which count from
 * zero.
 *
 * <p>Close this before another node of the same id, such as a later life of it, is bound to the
 * same registry, which has room for the meters of one only. Until it is closed this keeps its node,
 * which may be closed, too.
 *
 * {@snippet :
 * new RingwireMetrics(node).bindTo(registry);
 * }
 */
public final class RingwireMetrics implements MeterBinder, AutoCloseable {

  private static final long FRESH_NS = 500_000_000;

  /** Held by who looks whether a registry has such meters, and adds the first of them. */
  private static final Object BINDING = new Object();

  /** What is counted of a connection, and only grows while it is the same one. */
  private static final Map<String, ToDoubleFunction<ConnectionMetrics>> PEER_COUNTERS =
      Map.of(
          "messages.sent",
          ConnectionMetrics::messagesSent,
          "messages.received",
          ConnectionMetrics::messagesReceived,
          "bytes.sent",
          ConnectionMetrics::bytesSent,
          "bytes.received",
          ConnectionMetrics::bytesReceived,
          "stalls",
          ConnectionMetrics::stalls,
          "blocked.seconds",
          metrics -> metrics.blockedNs() / 1e9);

  private final Node node;
  private final boolean perPeer;
  private final Tags tags;
  private final Set<MeterRegistry> registries = new HashSet<>(); // guarded by this, as the next
  private final List<Registered> registered = new ArrayList<>();
  private final Map<Integer, Followed> peers = new HashMap<>();
  private @Nullable NodeMetrics snapshot;
  private long snapshotNs;

  private record Registered(MeterRegistry registry, Meter meter) {
    void remove() {
      registry.remove(meter);
    }
  }

  /**
   * A connection, and what it had counted when it was last seen. Its meters show that after its
   * end, too: who has listed them before asks them once more, and would take a counter that is back
   * at zero for a step that is negative. Guarded by the metrics.
   */
  private static final class Followed {
    final int peer;
    final List<Registered> meters = new ArrayList<>();
    ConnectionMetrics last;
    boolean isOver;

    Followed(ConnectionMetrics found) {
      peer = found.nodeId();
      last = found;
    }

    void end() {
      isOver = true;
      meters.forEach(Registered::remove);
    }
  }

  /** The meters of a node, with those of its connections. */
  public RingwireMetrics(Node node) {
    this(node, true, Tags.empty());
  }

  /**
   * The meters of a node.
   *
   * @param perPeer whether there are meters for each connection, about ten
   * @param tags further tags of all meters
   */
  public RingwireMetrics(Node node, boolean perPeer, Iterable<Tag> tags) {
    this.node = node;
    this.perPeer = perPeer;
    this.tags = Tags.of(tags).and("node", Integer.toString(node.id()));
  }

  /**
   * Shows the meters in a registry; a second time does nothing.
   *
   * @throws IllegalStateException if the registry has meters of another one of these, for a node of
   *     the same id and with the same tags
   */
  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    if (registries.contains(registry)) {
      return;
    }
    synchronized (BINDING) {
      connections(registry);
    }
    registries.add(registry);
    counters(registry);
    gauges(registry);
    for (EndReason reason : EndReason.values()) {
      String name = reason.name();
      counter(
          registry,
          "connections.ended",
          "connections that have ended",
          tags.and("reason", name),
          metrics -> metrics.connectionEnds().getOrDefault(name, 0L));
    }
    peers.values().forEach(followed -> addPeer(registry, followed));
  }

  /**
   * The first meter, which tells whether there is room for the others. A registry that has one of
   * the same name and tags returns that: it would go on to show what it showed, and go with either
   * of the two.
   */
  private void connections(MeterRegistry registry) {
    List<Meter> before = registry.getMeters();
    Gauge gauge =
        gauge(registry, "connections", "open connections", metrics -> metrics.connections().size());
    if (before.contains(gauge) && !isReached(registry, registries)) {
      throw new IllegalStateException(
          "the registry has meters of such a node already, which are to be closed before, or to have"
              + " other tags: "
              + tags.stream().map(tag -> tag.getKey() + "=" + tag.getValue()).toList());
    }
    registered.add(new Registered(registry, gauge));
  }

  /** Whether it is in one of those, which then have put these meters there. */
  private static boolean isReached(MeterRegistry registry, Collection<MeterRegistry> from) {
    return from.stream()
        .anyMatch(each ->
            each.equals(registry)
                || (each instanceof CompositeMeterRegistry several
                    && isReached(registry, several.getRegistries())));
  }

  private void counters(MeterRegistry registry) {
    counter(registry, "messages.sent", "messages written", tags, NodeMetrics::messagesSent);
    counter(
        registry,
        "messages.received",
        "messages that arrived",
        tags,
        NodeMetrics::messagesReceived);
    counter(
        registry,
        "messages.handled",
        "messages whose handler has ended",
        tags,
        NodeMetrics::messagesHandled);
    counter(
        registry,
        "messages.lost",
        "messages not written when their connection ended",
        tags,
        NodeMetrics::messagesLost);
    counter(
        registry,
        "messages.uncertain",
        "messages written, and not known to be processed when their connection ended",
        tags,
        NodeMetrics::messagesUncertain);
    counter(registry, "messages.unhandled", "messages dropped", tags, NodeMetrics::unhandled);
    counter(registry, "bytes.sent", "bytes written", tags, NodeMetrics::bytesSent);
    counter(registry, "bytes.received", "bytes that arrived", tags, NodeMetrics::bytesReceived);
    counter(
        registry, "handler.failures", "handlers that threw", tags, NodeMetrics::handlerFailures);
    counter(
        registry, "responses.late", "responses without request", tags, NodeMetrics::lateResponses);
    counter(registry, "frames.rejected", "broken rules", tags, NodeMetrics::framesRejected);
    counter(
        registry,
        "handshakes.refused",
        "connection attempts of peers that were refused",
        tags,
        NodeMetrics::handshakesRefused);
    counter(registry, "connect.attempts", "links tried", tags, NodeMetrics::connectAttempts);
    counter(
        registry, "connect.failures", "connections never open", tags, NodeMetrics::connectFailures);
    counter(registry, "stalls", "senders that had to wait", tags, NodeMetrics::stalls);
    counter(
        registry,
        "blocked.seconds",
        "time that senders have waited",
        tags,
        metrics -> metrics.blockedNs() / 1e9);
    counter(
        registry,
        "handlers.slow",
        "handlers that took too long",
        tags,
        metrics ->
            metrics.handlers().slow().stream().mapToLong(NodeMetrics.SlowHandler::count).sum());
  }

  private void gauges(MeterRegistry registry) {
    addGauge(registry, "handshakes", "handshakes of peers now", NodeMetrics::handshakes);
    addGauge(
        registry,
        "requests.outstanding",
        "requests without an answer",
        NodeMetrics::requestsOutstanding);
    addGauge(registry, "handlers.busy", "pool threads", metrics -> metrics.handlers().busy());
    addGauge(registry, "handlers.threads", "pool threads", metrics -> metrics.handlers().threads());
    addGauge(
        registry,
        "handlers.waiting",
        "threads that wait for other nodes in a handler",
        metrics -> metrics.handlers().waiting());
    addGauge(
        registry,
        "messages.queued",
        "messages that wait for handlers, or are in them",
        metrics ->
            metrics.connections().stream().mapToLong(ConnectionMetrics::queuedMessages).sum());
    bytes(registry, "memory.native", NodeMetrics::nativeBytes);
    bytes(registry, "memory.committed", metrics -> metrics.memory().committedBytes());
    bytes(registry, "memory.windows", metrics -> metrics.memory().windowBytes());
    bytes(registry, "memory.grants", metrics -> metrics.memory().grantedBytes());
    bytes(registry, "memory.buffers", metrics -> metrics.memory().bufferBytes());
    registered.add(
        new Registered(
            registry,
            TimeGauge.builder(
                    "ringwire.handlers.slowest",
                    node,
                    TimeUnit.NANOSECONDS,
                    any ->
                        current().handlers().slow().stream()
                            .mapToLong(NodeMetrics.SlowHandler::longestNs)
                            .max()
                            .orElse(0))
                .description("the longest time that a slow handler took")
                .tags(tags)
                .register(registry)));
  }

  /** Meters hold their state weakly: that is the node; this object is held by their functions. */
  private void counter(
      MeterRegistry registry,
      String name,
      String description,
      Tags meterTags,
      ToDoubleFunction<NodeMetrics> value) {
    registered.add(
        new Registered(
            registry,
            FunctionCounter.builder("ringwire." + name, node, any -> value.applyAsDouble(current()))
                .description(description)
                .tags(meterTags)
                .register(registry)));
  }

  private void addGauge(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<NodeMetrics> value) {
    registered.add(new Registered(registry, gauge(registry, name, description, value)));
  }

  private Gauge gauge(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<NodeMetrics> value) {
    return gauge(registry, name, description, null, value);
  }

  private void bytes(MeterRegistry registry, String name, ToDoubleFunction<NodeMetrics> value) {
    Gauge gauge = gauge(registry, name, "native memory", "bytes", value);
    registered.add(new Registered(registry, gauge));
  }

  private Gauge gauge(
      MeterRegistry registry,
      String name,
      String description,
      @Nullable String unit,
      ToDoubleFunction<NodeMetrics> value) {
    return Gauge.builder("ringwire." + name, node, any -> value.applyAsDouble(current()))
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }

  // Connections.

  private void addPeer(MeterRegistry registry, Followed followed) {
    PEER_COUNTERS.forEach((name, value) -> peerCounter(registry, followed, name, value));
    peerGauge(registry, followed, "window.fill", ConnectionMetrics::windowFill);
    peerGauge(registry, followed, "ring.fill", ConnectionMetrics::ringFill);
    peerGauge(registry, followed, "senders.waiting", ConnectionMetrics::waitingSenders);
    peerGauge(registry, followed, "messages.queued", ConnectionMetrics::queuedMessages);
  }

  private void peerCounter(
      MeterRegistry registry,
      Followed followed,
      String name,
      ToDoubleFunction<ConnectionMetrics> value) {
    Meter meter =
        FunctionCounter.builder("ringwire.peer." + name, node, any -> counted(followed, value))
            .tags(tagsOf(followed))
            .register(registry);
    followed.meters.add(new Registered(registry, meter));
  }

  private void peerGauge(
      MeterRegistry registry,
      Followed followed,
      String name,
      ToDoubleFunction<ConnectionMetrics> value) {
    Meter meter =
        Gauge.builder("ringwire.peer." + name, node, any -> now(followed, value))
            .tags(tagsOf(followed))
            .register(registry);
    followed.meters.add(new Registered(registry, meter));
  }

  private Tags tagsOf(Followed followed) {
    return tags.and("peer", Integer.toString(followed.peer));
  }

  private synchronized double counted(
      Followed followed, ToDoubleFunction<ConnectionMetrics> value) {
    NodeMetrics _ = current();
    return value.applyAsDouble(followed.last);
  }

  private synchronized double now(Followed followed, ToDoubleFunction<ConnectionMetrics> value) {
    NodeMetrics _ = current();
    return followed.isOver ? 0 : value.applyAsDouble(followed.last);
  }

  // The snapshot.

  private synchronized NodeMetrics current() {
    long nowNs = System.nanoTime();
    NodeMetrics last = snapshot;
    if (last != null && nowNs - snapshotNs < FRESH_NS) {
      return last;
    }
    NodeMetrics fresh = node.metrics();
    snapshot = fresh;
    snapshotNs = nowNs;
    if (perPeer) {
      follow(fresh);
    }
    return fresh;
  }

  private void follow(NodeMetrics fresh) {
    Map<Integer, ConnectionMetrics> found = new HashMap<>();
    fresh.connections().forEach(connection -> found.put(connection.nodeId(), connection));
    for (Followed followed : List.copyOf(peers.values())) {
      ConnectionMetrics connection = found.get(followed.peer);
      if (connection == null || isAnother(followed.last, connection)) {
        peers.remove(followed.peer);
        followed.end();
      } else {
        followed.last = connection;
      }
    }
    found.forEach((peer, connection) -> {
      if (!peers.containsKey(peer)) {
        Followed added = new Followed(connection);
        peers.put(peer, added);
        List.copyOf(registries).forEach(registry -> addPeer(registry, added));
      }
    });
  }

  /**
   * A connection that has counted less of anything than before is another one, whose counters begin
   * anew.
   */
  private static boolean isAnother(ConnectionMetrics before, ConnectionMetrics now) {
    return PEER_COUNTERS.values().stream()
        .anyMatch(counter -> counter.applyAsDouble(now) < counter.applyAsDouble(before));
  }

  /** Removes the meters from their registries. */
  @Override
  public synchronized void close() {
    registered.forEach(Registered::remove);
    registered.clear();
    peers.values().forEach(Followed::end);
    peers.clear();
    registries.clear();
  }
}
