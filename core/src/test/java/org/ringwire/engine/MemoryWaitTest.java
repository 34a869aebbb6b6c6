package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.SendStatus;
import org.ringwire.engine.inbound.GrantBudget;
import org.ringwire.engine.inbound.InboundGrants;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.testing.NodeWatcher;

/** Who waits for memory of the process looks again when some was given back, and only then. */
@ExtendWith(NodeWatcher.class)
class MemoryWaitTest {

  private static final long BUDGET = 64 << 20;
  private static final int ROUNDS = 1000;

  record Ask(int bytes) {}

  private final TestNodes nodes = new TestNodes("tcp");

  @AfterEach
  void end() {
    MemoryBudget.limit(Long.MAX_VALUE);
    nodes.close();
  }

  @Test
  void shouldTellWhoDoesNotWaitOnceThereIsMemory() throws Exception {
    Duration never = Duration.ofHours(1); // nothing else that is sent looks for room meanwhile
    Node two = nodes.open(2, settings -> settings.keepAlive(never));
    two.handle(Ask.class, (ask, exchange) -> {});
    Node idle =
        nodes.open(3, settings -> settings.idleTime(Duration.ofMillis(20)).keepAlive(never));
    long before = MemoryBudget.committed();
    idle.send(2, new Ask(1));
    await("at rest", () -> MemoryBudget.committed() - before < 2 << 20);
    MemoryBudget.limit(MemoryBudget.committed());
    assertThat(idle.trySend(2, new Ask(1))).isEqualTo(SendStatus.BACK_PRESSURED);
    CompletableFuture<Void> writable = idle.whenWritable(2);
    assertThat(writable).isNotDone();

    MemoryBudget.limit(Long.MAX_VALUE);

    writable.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void shouldBeToldByATimerIfThereWasNoHeapForThat() {
    nodes.open(2, settings -> settings.keepAlive(Duration.ofSeconds(1)));
    AtomicInteger told = new AtomicInteger();
    MemoryBudget.whenReleased(() -> {
      if (told.getAndIncrement() == 0) {
        throw new OutOfMemoryError("as if");
      }
    });
    assertThatCode(() -> MemoryBudget.release(0)).doesNotThrowAnyException();
    await("told again", () -> told.get() == 2);
  }

  @Test
  void shouldNotAskAgainForAGrantWhileNobodyGivesMemoryBack() {
    Queue<Runnable> later = new ArrayDeque<>();
    GrantBudget budget = new GrantBudget(BUDGET, _ -> {}, later::add);
    InboundGrants grants =
        new InboundGrants(budget, BUDGET, BUDGET, _ -> {}, (_, _) -> {}, () -> 0, _ -> {});
    MemoryBudget.limit(MemoryBudget.committed() + 1000);
    grants.announced(1, 1 << 20);
    int rounds = 0;
    while (!later.isEmpty() && rounds < ROUNDS) {
      later.remove().run();
      rounds++;
    }
    assertThat(rounds).isLessThan(2);
    grants.close();
    budget.close();
  }
}
