package org.ringwire.tools.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.ringwire.testing.Awaiting.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.ProgramRun;

/**
 * Three nodes on three hosts, four threads of each sending, while one thing after the other happens
 * to the network. After each of them traffic resumes by itself. At the end the ledger of all says:
 * no message was delivered twice, the order of each sender was kept, what was accepted was
 * delivered, reported lost or reported uncertain.
 */
final class NetworkFaultSystemTest {

  private static final int NODES = 3;
  private static final int THREADS = 4;
  private static final int RATE = 1000;
  private static final long CAPACITY = 1 << 20;
  private static final long SOME = 2000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long POLL_NS = 20_000_000;

  private static final Queue<String> LINES = new ConcurrentLinkedQueue<>();

  @TempDir private static Path folder;

  private static NetworkRig rig;
  private static Crew crew;

  @BeforeAll
  static void startNodes() {
    String obstacle = NetworkRig.obstacle();
    assumeTrue(obstacle.isEmpty(), obstacle);
    rig = NetworkRig.of(NODES);
    String secret = "of the tests in network namespaces";
    SoakSpec spec =
        new SoakSpec(0, 0, NODES, THREADS, NODES, RATE, CAPACITY, 1, folder.toString(), "", secret);
    crew = new Crew(spec, rig::address, rig::launcher, LINES::add);
    crew.startAll();
    for (int id = 1; id <= NODES; id++) {
      crew.run(id);
    }
    awaitTraffic(SOME);
  }

  @AfterAll
  static void readTheLedger() {
    try (NetworkRig _ = rig;
        Crew _ = crew) {
      if (crew != null) {
        endAll();
        assertAddsUp(Audit.of(folder, LINES::add));
      }
    }
  }

  private static void endAll() {
    crew.pause();
    for (int id = 1; id <= NODES; id++) {
      crew.beginEnd(id);
    }
    for (int id = 1; id <= NODES; id++) {
      crew.awaitEnd(id);
    }
  }

  private static void assertAddsUp(Tally tally) {
    assertThat(tally.isGood()).as(tally + " " + LINES).isTrue();
    assertThat(crew.wrongRequests()).isZero();
    assertThat(tally.accepted() - tally.delivered())
        .isBetween(0L, tally.reportedLost() + tally.uncertain());
    assertThat(tally.reportedLost() + tally.uncertain()).isPositive();
    assertThat(tally.acceptedByKilled()).isPositive();
  }

  @Test
  void shouldSurviveACableThatIsPulled() {
    long before1 = losses(1);
    long before3 = losses(3);
    rig.unplug(2);
    awaitLosses(1, before1);
    awaitLosses(3, before3);
    rig.plug(2);
    awaitRecovery();
  }

  @Test
  void shouldSurviveACableThatIsBackBeforeAnybodyGivesUp() {
    for (int i = 0; i < 3; i++) {
      rig.unplug(2);
      LockSupport.parkNanos(Duration.ofMillis(400).toNanos());
      rig.plug(2);
      awaitTraffic(SOME);
    }
    awaitRecovery();
  }

  @Test
  void shouldSurviveAHostThatHearsNothingOfAnotherWhichHearsIt() {
    Nft nft = nft();
    long before = losses(1);
    rig.deafen(2, 1, nft, "");
    awaitLosses(1, before);
    assertThat(rig.dropped(2, nft)).isPositive();
    rig.undeafen(2, nft);
    awaitRecovery();
  }

  @Test
  void shouldDeliverEverythingOverALineThatLosesPacketsOneWay() {
    Nft nft = nft();
    rig.deafen(2, 1, nft, "numgen random mod 100 < 5");
    awaitTraffic(2 * SOME);
    await("a packet that is lost", () -> rig.dropped(2, nft) > 0);
    rig.undeafen(2, nft);
    awaitRecovery();
  }

  @Test
  void shouldDeliverEverythingOverANarrowLine() {
    rig.limit(1, "3mbit");
    awaitTraffic(2 * SOME);
    rig.unlimit(1);
    awaitRecovery();
  }

  @Test
  void shouldSurviveAHostThatDisappearsWithoutAWordAndReturns() {
    long before1 = losses(1);
    long before3 = losses(3);
    rig.unplug(2);
    crew.kill(2); // what its kernel says of that nobody hears
    awaitLosses(1, before1);
    awaitLosses(3, before3);
    crew.start(2);
    rig.plug(2);
    crew.run(2);
    awaitRecovery();
  }

  @Test
  void shouldRemoveWhatATestLeftBehindThatWasKilled() {
    long nobody = Long.MAX_VALUE;
    String left = "ringwire-" + nobody + "-1";
    assertThat(ProgramRun.of("ip", "netns", "add", left).isGood()).isTrue();
    NetworkRig.removeLeftOvers();
    assertThat(NetworkRig.namespaces()).doesNotContain(left).hasSize(NODES + 1);
  }

  private static Nft nft() {
    Nft nft = Nft.find();
    assumeTrue(nft.obstacle().isEmpty(), nft.obstacle());
    return nft;
  }

  /** Everybody reaches everybody again, and sends a little more. */
  private static void awaitRecovery() {
    crew.pause();
    crew.touch();
    for (int id = 1; id <= NODES; id++) {
      crew.run(id);
    }
    awaitTraffic(SOME);
  }

  /** So many messages more are accepted. */
  private static void awaitTraffic(long more) {
    long target = Audit.accepted(folder) + more;
    await("traffic", () -> Audit.accepted(folder) >= target);
  }

  /** Connections to node 2 of which a node, which never ended, has reported that they were lost. */
  private static long losses(int node) {
    try (SendLedger sent = SendLedger.open(folder.resolve("sent-" + node + "-0"))) {
      return sent.losses(2).stream().filter(loss -> loss.lost() + loss.uncertain() > 0).count();
    }
  }

  private static void awaitLosses(int node, long before) {
    await("node " + node + " reports the loss of node 2", () -> losses(node) > before);
  }

  private static void await(String what, BooleanSupplier condition) {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      crew.check();
      assertThat(System.nanoTime()).as(what + " " + LINES).isLessThan(endNs);
      LockSupport.parkNanos(POLL_NS);
    }
  }
}
