package org.ringwire.engine.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.testing.NodeWatcher;

/** Who loses the connection because it keeps others waiting, and who does not. */
@ExtendWith(NodeWatcher.class)
class GrantBudgetTest {

  private static final long LENGTH = 64 << 20;
  private static final long STEP_NS = 1_000_000_000;

  private Runnable onWarning = () -> {};
  private Runnable onLater = () -> {};
  private final GrantBudget budget =
      new GrantBudget(
          2 * LENGTH,
          text -> onWarning.run(),
          task -> {
            onLater.run();
            task.run();
          });
  private long nowNs = Long.MAX_VALUE - 30 * STEP_NS; // the clock may be anywhere

  /** One link of a peer. */
  private final class Peer {
    final List<Long> granted = new ArrayList<>();
    final List<Throwable> violations = new ArrayList<>();
    long arriving;
    boolean isDeaf;
    final InboundGrants grants =
        new InboundGrants(
            budget,
            LENGTH,
            2 * LENGTH,
            this::hear,
            (why, token) -> {},
            () -> arriving,
            violation -> {
              violations.add(violation);
              end();
            });

    private void hear(long token) {
      if (isDeaf) {
        throw new IllegalStateException("on purpose");
      }
      granted.add(token);
    }

    private void end() {
      grants.close();
    }
  }

  private static void findNoHeap() {
    throw new OutOfMemoryError("as if");
  }

  @AfterEach
  void noLimit() {
    MemoryBudget.limit(Long.MAX_VALUE);
  }

  private void look(int looks, boolean judged) {
    for (int look = 0; look < looks; look++) {
      nowNs += STEP_NS;
      budget.look(nowNs, judged);
    }
  }

  private Peer holder() {
    Peer peer = new Peer();
    peer.grants.announced(1, LENGTH);
    peer.grants.announced(2, LENGTH);
    assertThat(peer.granted).containsExactly(1L, 2L);
    return peer;
  }

  private Peer waiting() {
    Peer peer = new Peer();
    peer.grants.announced(1, LENGTH);
    assertThat(peer.granted).isEmpty();
    return peer;
  }

  @Test
  void shouldTellTheOthersIfOneCannotBeTold() {
    Peer holder = holder();
    Peer deaf = waiting();
    Peer waiting = waiting();
    deaf.isDeaf = true;
    holder.end();
    assertThat(deaf.violations)
        .singleElement()
        .hasToString("java.lang.IllegalStateException: on purpose");
    assertThat(waiting.granted).containsExactly(1L);
    waiting.end();
    assertThat(budget.granted()).isZero();
  }

  @Test
  void shouldForgetNobodyWhoWaitsForTheProcessIfThereIsNoHeapToGoOn() {
    MemoryBudget.limit(MemoryBudget.committed());
    Peer waiting = waiting();
    onLater = GrantBudgetTest::findNoHeap;
    assertThatCode(() -> MemoryBudget.limit(Long.MAX_VALUE)).doesNotThrowAnyException();
    assertThat(waiting.granted).isEmpty();
    onLater = () -> {};
    MemoryBudget.tellAgain();
    assertThat(waiting.granted).containsExactly(1L);
    waiting.end();
    assertThat(budget.granted()).isZero();
  }

  @Test
  void shouldTellWhoIsGrantedSomethingIfThereIsNoHeapToSayWhyTheNextWaits() {
    MemoryBudget.limit(MemoryBudget.committed() + LENGTH);
    Peer holder = new Peer();
    holder.grants.announced(1, LENGTH);
    Peer first = new Peer();
    first.grants.announced(1, LENGTH / 2);
    Peer last = waiting();
    onWarning = GrantBudgetTest::findNoHeap;
    assertThatCode(holder::end).doesNotThrowAnyException();
    assertThat(first.granted).containsExactly(1L);
    assertThat(last.granted).isEmpty();
    AtomicInteger warnings = new AtomicInteger();
    onWarning = warnings::incrementAndGet;
    look(2, true);
    assertThat(warnings).as("who is busy is judged by looks").hasValue(0);
    budget.resumeLeft();
    budget.resumeLeft();
    assertThat(warnings).as("once more").hasValue(1);
    first.end();
    assertThat(last.granted).containsExactly(1L);
    last.end();
    assertThat(budget.granted()).isZero();
  }

  @Test
  void shouldTakeGrantsFromWhoKeepsOthersWaitingAndSendsNothing() {
    Peer holder = holder();
    look(1000, true);
    assertThat(holder.violations).as("nobody waits").isEmpty();
    Peer waiting = waiting();
    look(60, true);
    assertThat(holder.violations).isEmpty();
    look(1, true);
    assertThat(holder.violations).hasSize(1);
    assertThat(holder.violations.getFirst()).hasMessageContaining("does not use what it was");
    assertThat(waiting.granted).containsExactly(1L);
    look(1000, true);
    assertThat(waiting.violations).as("nobody waits any more").isEmpty();
    waiting.end();
    assertThat(budget.granted()).isZero();
  }

  @Test
  void shouldLeaveTheirGrantsToThoseWhoUseThem() {
    Peer holder = holder();
    Peer waiting = waiting();
    for (int round = 0; round < 10; round++) {
      look(50, true);
      holder.arriving += LENGTH / 32;
    }
    look(50, true);
    holder.arriving = 0;
    holder.grants.use(LENGTH); // all of it has come, and is being handled
    look(50, true);
    holder.grants.use(LENGTH);
    look(1000, true);
    assertThat(holder.violations).as("handlers take their time").isEmpty();
    holder.grants.processed(LENGTH);
    assertThat(waiting.granted).containsExactly(1L);
    holder.grants.processed(LENGTH);
    waiting.end();
    assertThat(budget.granted()).isZero();
  }

  @Test
  void shouldTakeGrantsFromWhoSendsNextToNothing() {
    Peer holder = holder();
    Peer waiting = waiting();
    for (int second = 0; second < 70; second++) {
      look(1, true);
      holder.arriving += 100;
    }
    assertThat(holder.violations).hasSize(1);
    assertThat(waiting.granted).containsExactly(1L);
    waiting.end();
  }

  @Test
  void shouldBlameNobodyWhileThisNodeDoesNotReadOrWasStopped() {
    Peer holder = holder();
    Peer waiting = waiting();
    for (int round = 0; round < 10; round++) {
      look(50, true);
      look(1, false);
    }
    nowNs += 1000 * STEP_NS;
    look(5, true);
    assertThat(holder.violations).isEmpty();
    look(60, true);
    assertThat(holder.violations).hasSize(1);
    waiting.end();
  }
}
