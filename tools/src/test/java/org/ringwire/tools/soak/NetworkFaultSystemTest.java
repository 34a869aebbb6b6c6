package org.ringwire.tools.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes on three hosts, four threads of each sending, while something happens to the network.
 * In every case: no message is delivered twice, the order of each sender is kept, what was accepted
 * is delivered, reported lost or reported uncertain, and traffic resumes by itself.
 */
final class NetworkFaultSystemTest {

  private static final int NODES = 3;
  private static final int THREADS = 4;
  private static final int RATE = 1000;
  private static final long CAPACITY = 1 << 20;
  private static final long SOME = 2000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long POLL_NS = 20_000_000;

  @TempDir private Path folder;

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private NetworkRig rig;
  private Crew crew;

  @BeforeEach
  void startNodes() {
    String obstacle = NetworkRig.obstacle();
    assumeTrue(obstacle.isEmpty(), obstacle);
    rig = NetworkRig.of(NODES);
    String secret = "of the tests in network namespaces";
    SoakSpec spec =
        new SoakSpec(0, 0, NODES, THREADS, NODES, RATE, CAPACITY, 1, folder.toString(), "", secret);
    crew = new Crew(spec, rig::address, rig::launcher, lines::add);
    for (int id = 1; id <= NODES; id++) {
      crew.start(id);
    }
    for (int id = 1; id <= NODES; id++) {
      crew.run(id);
    }
    awaitTraffic(SOME);
  }

  @AfterEach
  void removeEverything() {
    if (crew != null) {
      crew.close();
    }
    if (rig != null) {
      rig.close();
    }
  }

  @Test
  void shouldSurviveACableThatIsPulled() {
    rig.unplug(2);
    awaitLosses(1, 2, 0);
    awaitLosses(3, 2, 0);
    rig.plug(2);
    Tally tally = settle();
    assertThat(tally.reportedLost() + tally.uncertain()).isPositive();
  }

  @Test
  void shouldSurviveACableThatIsBackBeforeAnybodyGivesUp() {
    for (int i = 0; i < 3; i++) {
      rig.unplug(2);
      LockSupport.parkNanos(Duration.ofMillis(400).toNanos());
      rig.plug(2);
      awaitTraffic(SOME);
    }
    settle();
  }

  @Test
  void shouldSurviveAHostThatHearsNothingOfAnotherWhichHearsIt() {
    Nft nft = nft();
    rig.deafen(2, 1, nft, "");
    awaitLosses(1, 2, 0);
    assertThat(rig.dropped(2, nft)).isPositive();
    rig.undeafen(2, nft);
    Tally tally = settle();
    assertThat(tally.reportedLost() + tally.uncertain()).isPositive();
  }

  @Test
  void shouldDeliverEverythingOverALineThatLosesPacketsOneWay() {
    Nft nft = nft();
    rig.deafen(2, 1, nft, "numgen random mod 100 < 5");
    awaitTraffic(2 * SOME);
    assertThat(rig.dropped(2, nft)).isPositive();
    rig.undeafen(2, nft);
    settle();
  }

  @Test
  void shouldDeliverEverythingOverANarrowLine() {
    rig.limit(1, "3mbit");
    awaitTraffic(2 * SOME);
    rig.unlimit(1);
    settle();
  }

  @Test
  void shouldSurviveAHostThatDisappearsWithoutAWordAndReturns() {
    rig.unplug(2);
    crew.kill(2); // what its kernel says of that nobody hears
    awaitLosses(1, 2, 0);
    awaitLosses(3, 2, 0);
    crew.start(2);
    rig.plug(2);
    crew.run(2);
    awaitTraffic(SOME);
    Tally tally = settle();
    assertThat(tally.acceptedByKilled()).isPositive();
    assertThat(tally.reportedLost() + tally.uncertain()).isPositive();
  }

  @Test
  void shouldRemoveWhatATestLeftBehindThatWasKilled() {
    long nobody = Long.MAX_VALUE;
    String left = "ringwire-" + nobody + "-1";
    assertThat(Run.of("ip", "netns", "add", left).isGood()).isTrue();
    NetworkRig.removeLeftOvers();
    assertThat(NetworkRig.namespaces()).doesNotContain(left).hasSize(NODES + 1);
  }

  private static Nft nft() {
    Nft nft = Nft.find();
    assumeTrue(nft.obstacle().isEmpty(), nft.obstacle());
    return nft;
  }

  /** Everybody reaches everybody again, sends a little more, ends, and gives account. */
  private Tally settle() {
    crew.pause();
    crew.touch();
    for (int id = 1; id <= NODES; id++) {
      crew.run(id);
    }
    awaitTraffic(SOME);
    crew.pause();
    for (int id = 1; id <= NODES; id++) {
      crew.beginEnd(id);
    }
    for (int id = 1; id <= NODES; id++) {
      crew.awaitEnd(id);
    }
    Tally tally = Audit.of(folder, lines::add);
    assertThat(tally.isGood()).as(tally + " " + lines).isTrue();
    assertThat(crew.wrongRequests()).isZero();
    assertThat(tally.accepted() - tally.delivered())
        .isBetween(0L, tally.reportedLost() + tally.uncertain());
    return tally;
  }

  /** So many messages more are accepted. */
  private void awaitTraffic(long more) {
    long target = Audit.accepted(folder) + more;
    await("traffic", () -> Audit.accepted(folder) >= target);
  }

  /** A node has reported that connections to another have ended. */
  private void awaitLosses(int node, int peer, int life) {
    await(
        "node " + node + " reports the loss of node " + peer,
        () -> {
          try (SendLedger sent = SendLedger.open(folder.resolve("sent-" + node + "-" + life))) {
            return sent.losses(peer).stream().anyMatch(loss -> loss.lost() + loss.uncertain() > 0);
          }
        });
  }

  private void await(String what, BooleanSupplier condition) {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      crew.check();
      assertThat(System.nanoTime()).as(what + " " + lines).isLessThan(endNs);
      LockSupport.parkNanos(POLL_NS);
    }
  }
}
