package org.ringwire.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.ringwire.testing.Awaiting.await;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.CountingMode;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.RetainedExchange;

/** Two nodes in this process, and what registries show of them. */
final class RingwireMetricsTest {

  /** Requests before each test. */
  private static final int ASKS = 10;

  /** Messages of 8 KiB that are more than any window and ring have room for. */
  private static final int LOADS = 500;

  private static final int SENDERS = 20;
  private static final byte[] LOAD = new byte[8 << 10];

  record Ask(long number) {}

  @SuppressWarnings("ArrayRecordComponent")
  record Load(byte[] bytes) {}

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private Node one;
  private Node two;

  private Node open(int id) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .listen("127.0.0.1:0")
                .peers(directory)
                .lookup(MethodHandles.lookup())
                .build());
    directory.put(id, String.valueOf(node.address()));
    node.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    return node;
  }

  @BeforeEach
  void begin() {
    one = open(1);
    two = open(2);
    for (int count = 0; count < ASKS; count++) {
      one.request(2, new Ask(count), Ask.class, Duration.ofSeconds(30));
    }
  }

  @AfterEach
  void end() {
    one.close();
    two.close();
  }

  private static double counted(MeterRegistry registry, String name, String... tags) {
    return registry.get(name).tags(tags).functionCounter().count();
  }

  @Test
  void shouldShowTheNodeAndItsPeersAsMeters() {
    MeterRegistry registry = new SimpleMeterRegistry();
    RingwireMetrics metrics = new RingwireMetrics(one, true, Tags.of("app", "shop"));
    metrics.bindTo(registry);
    metrics.bindTo(registry); // once is enough
    assertThat(counted(registry, "ringwire.messages.sent", "node", "1", "app", "shop"))
        .isEqualTo(10);
    assertThat(counted(registry, "ringwire.bytes.received")).isGreaterThan(160);
    assertThat(registry.get("ringwire.connections").gauge().value()).isEqualTo(1);
    assertThat(registry.get("ringwire.memory.native").gauge().value()).isGreaterThan(1 << 20);
    assertThat(counted(registry, "ringwire.peer.messages.sent", "peer", "2")).isEqualTo(10);
    assertThat(registry.get("ringwire.peer.window.fill").tags("peer", "2").gauge().value())
        .isBetween(0.0, 1.0);
    assertThat(counted(registry, "ringwire.connections.ended", "reason", "PEER_CLOSED")).isZero();
    two.close();
    await(
        "the end shows",
        () -> counted(registry, "ringwire.connections.ended", "reason", "PEER_CLOSED") == 1);
    await(
        "its meters have gone",
        () -> registry.find("ringwire.peer.messages.sent").functionCounter() == null);
    assertThat(counted(registry, "ringwire.messages.sent")).isEqualTo(10);
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void shouldShowWhatIsUncertainWhenAPeerHasClosed() throws InterruptedException {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (RingwireMetrics metrics = new RingwireMetrics(one)) {
      metrics.bindTo(registry);
      BlockingQueue<RetainedExchange> retained = new LinkedBlockingQueue<>();
      two.handle(Load.class, (load, exchange) -> retained.add(exchange.retain()));
      one.send(2, new Load(LOAD));
      try (RetainedExchange _ = retained.take()) {
        two.close(Duration.ZERO);
      }
      await("it shows", () -> counted(registry, "ringwire.messages.uncertain") > 0);
      assertThat(counted(registry, "ringwire.messages.lost")).isZero();
    }
  }

  private static final class ManualClock implements Clock {
    private long nowNs = Duration.ofDays(1).toNanos();

    @Override
    public long wallTime() {
      return TimeUnit.NANOSECONDS.toMillis(nowNs);
    }

    @Override
    public long monotonicTime() {
      return nowNs;
    }

    void pass(Duration time) {
      nowNs += time.toNanos();
    }
  }

  /** A registry that shows what was counted in each step. */
  private static MeterRegistry stepping(Clock clock, Duration step) {
    SimpleConfig config =
        new SimpleConfig() {
          @Override
          public String get(String key) {
            return null;
          }

          @Override
          public CountingMode mode() {
            return CountingMode.STEP;
          }

          @Override
          public Duration step() {
            return step;
          }
        };
    return new SimpleMeterRegistry(config, clock);
  }

  @Test
  void shouldCountAnewWhenAPeerIsBackBeforeTheNextLook() {
    String name = "ringwire.peer.messages.sent";
    Duration step = Duration.ofSeconds(10);
    ManualClock clock = new ManualClock();
    MeterRegistry steps = stepping(clock, step);
    MeterRegistry sums = new SimpleMeterRegistry();
    RingwireMetrics metrics = new RingwireMetrics(one);
    metrics.bindTo(steps);
    metrics.bindTo(sums);
    assertThat(counted(sums, "ringwire.messages.sent")).isEqualTo(10); // finds the peer
    assertThat(counted(steps, name)).isZero();
    clock.pass(step);
    assertThat(counted(steps, name)).isEqualTo(10);
    two.close();
    await("the end", () -> one.metrics().connections().isEmpty());
    two = open(2);
    one.request(2, new Ask(0), Ask.class, Duration.ofSeconds(30));
    await("the new connection shows", () -> counted(sums, "ringwire.messages.sent") == 11);
    assertThat(counted(sums, name)).isEqualTo(1);
    clock.pass(step);
    double before = counted(steps, name);
    clock.pass(step);
    assertThat(before + counted(steps, name)).isBetween(0.0, 1.0);
  }

  /** Who sends steps elsewhere has a list of meters when it begins, and asks each in turn. */
  @Test
  void shouldTakeNothingBackOfAPeerThatGoesWhileAStepIsSent() {
    Duration step = Duration.ofSeconds(10);
    ManualClock clock = new ManualClock();
    MeterRegistry steps = stepping(clock, step);
    new RingwireMetrics(one).bindTo(steps);
    assertThat(counted(steps, "ringwire.messages.sent")).isZero(); // finds the peer
    List<FunctionCounter> listed =
        steps.getMeters().stream()
            .filter(meter -> meter.getId().getName().startsWith("ringwire.peer."))
            .filter(FunctionCounter.class::isInstance)
            .map(FunctionCounter.class::cast)
            .toList();
    assertThat(listed).isNotEmpty().allSatisfy(meter -> assertThat(meter.count()).isZero());
    clock.pass(step);
    assertThat(counted(steps, "ringwire.peer.messages.sent")).isEqualTo(ASKS);
    two.close();
    await("its meters have gone", () -> isWithoutPeers(steps));
    clock.pass(step);
    assertThat(listed)
        .allSatisfy(meter -> assertThat(meter.count()).as(meter.getId().getName()).isNotNegative());
  }

  private static boolean isWithoutPeers(MeterRegistry registry) {
    double _ = counted(registry, "ringwire.messages.sent"); // looks
    return registry.find("ringwire.peer.messages.sent").functionCounter() == null;
  }

  private void sendLoads(int count) {
    for (int sent = 0; sent < count; sent++) {
      one.send(2, new Load(LOAD));
    }
  }

  @Test
  void shouldCountStallsAnewThoughTheNextConnectionHasSentMore() throws InterruptedException {
    String name = "ringwire.peer.messages.sent";
    MeterRegistry registry = new SimpleMeterRegistry();
    new RingwireMetrics(one).bindTo(registry);
    assertThat(counted(registry, "ringwire.messages.sent")).isEqualTo(ASKS); // finds the peer
    CountDownLatch go = new CountDownLatch(1);
    two.handle(Load.class, (load, exchange) -> go.await());
    List<Thread> senders =
        IntStream.range(0, SENDERS)
            .mapToObj(i -> Thread.ofPlatform().start(() -> sendLoads(LOADS / SENDERS)))
            .toList();
    await("all senders wait", () -> one.metrics().connections().getFirst().stalls() >= SENDERS);
    go.countDown();
    for (Thread sender : senders) {
      sender.join();
    }
    await("all of it shows", () -> counted(registry, name) == ASKS + LOADS);
    FunctionCounter stalls = registry.get("ringwire.peer.stalls").functionCounter();
    double before = stalls.count();
    two.close();
    await("the end", () -> one.metrics().connections().isEmpty());
    two = open(2);
    two.handle(Load.class, (load, exchange) -> exchange.reply(load));
    for (int count = 0; count < 2 * LOADS; count++) {
      one.request(2, new Load(LOAD), Load.class, Duration.ofSeconds(30));
    }
    await("the new connection shows", () -> counted(registry, name) == 2 * LOADS);
    assertThat(counted(registry, "ringwire.peer.stalls")).isLessThan(before);
    assertThat(registry.get("ringwire.peer.stalls").functionCounter())
        .as("a counter that does not go down")
        .isNotSameAs(stalls);
  }

  @Test
  void shouldBeReadByPrometheus() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new RingwireMetrics(one).bindTo(registry);
    await("the peer's meters are there", () -> registry.scrape().contains("peer=\"2\""));
    assertThat(registry.scrape())
        .contains("ringwire_messages_sent_total{node=\"1\"} 10.0")
        .contains("ringwire_connections{node=\"1\"} 1.0")
        .contains("ringwire_peer_messages_sent_total{node=\"1\",peer=\"2\"} 10.0")
        .contains("ringwire_blocked_seconds_total{node=\"1\"} 0.0")
        .contains("ringwire_memory_native_bytes{node=\"1\"} ")
        .contains("ringwire_connections_ended_total{node=\"1\",reason=\"LINK_LOST\"} 0.0")
        .contains("# HELP ringwire_messages_sent_total messages written")
        .contains("# TYPE ringwire_peer_window_fill gauge");
  }

  /** Their meters would be one: the first one's figures, gone with whichever is closed first. */
  @Test
  void shouldRefuseMetersThatARegistryHasOfAnother() {
    MeterRegistry registry = new SimpleMeterRegistry();
    RingwireMetrics first = new RingwireMetrics(one);
    first.bindTo(registry);
    try (RingwireMetrics second = new RingwireMetrics(one, false, Tags.empty())) {
      assertThatIllegalStateException()
          .isThrownBy(() -> second.bindTo(registry))
          .withMessageContaining("node=1");
    }
    assertThat(counted(registry, "ringwire.messages.sent")).isEqualTo(ASKS);
    try (RingwireMetrics told = new RingwireMetrics(one, true, Tags.of("app", "shop"))) {
      told.bindTo(registry); // their tags tell them apart
      assertThat(counted(registry, "ringwire.messages.sent", "app", "shop")).isEqualTo(ASKS);
    }
    one.close();
    one = open(1);
    first.close();
    try (RingwireMetrics later = new RingwireMetrics(one)) {
      later.bindTo(registry);
      assertThat(counted(registry, "ringwire.messages.sent")).isZero();
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void shouldBeBoundToARegistryThatARegistryOfSeveralHas() {
    CompositeMeterRegistry outer = new CompositeMeterRegistry();
    CompositeMeterRegistry inner = new CompositeMeterRegistry();
    MeterRegistry registry = new SimpleMeterRegistry();
    outer.add(inner);
    inner.add(registry);
    try (RingwireMetrics metrics = new RingwireMetrics(one)) {
      metrics.bindTo(outer);
      metrics.bindTo(registry);
      assertThat(counted(registry, "ringwire.messages.sent")).isEqualTo(ASKS);
    }
    assertThat(registry.getMeters()).isEmpty();
    try (RingwireMetrics metrics = new RingwireMetrics(one)) {
      metrics.bindTo(registry);
      metrics.bindTo(outer);
      assertThat(counted(registry, "ringwire.messages.sent")).isEqualTo(ASKS);
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void shouldLeavePeersOutWhenToldSo() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (RingwireMetrics metrics = new RingwireMetrics(one, false, Tags.empty())) {
      metrics.bindTo(registry);
      assertThat(registry.scrape()).contains("ringwire_connections{node=\"1\"} 1.0");
      assertThat(registry.scrape()).doesNotContain("peer=");
    }
  }
}
