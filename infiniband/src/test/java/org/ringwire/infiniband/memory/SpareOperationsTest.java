package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/** When an operation may be begun anew. */
@ExtendWith(NodeWatcher.class)
class SpareOperationsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ReentrantLock lock = new ReentrantLock();
  private boolean isRequestLeft;
  private final SpareOperations spare = new SpareOperations(1, lock, () -> isRequestLeft);

  @Test
  void shouldComeBackWhenWhoEndsItHasLookedAtAllOfIt() throws InterruptedException {
    Operation ended = new Operation();
    Thread caller = Thread.ofPlatform().unstarted(() -> spare.give(ended));
    lock.lock(); // by who ends it
    try {
      caller.start();
      Awaiting.await("the caller", () -> lock.hasQueuedThread(caller));
      assertThat(spare.take()).isNotSameAs(ended);
    } finally {
      lock.unlock();
    }

    assertThat(caller.join(PATIENCE)).isTrue();
    assertThat(spare.take()).isSameAs(ended);
  }

  @Test
  void shouldNotComeBackWhileItsRequestsAreLeft() {
    Operation ended = new Operation();
    isRequestLeft = true;
    spare.give(ended);
    assertThat(spare.take()).isNotSameAs(ended);
  }

  @Test
  void shouldKeepNoMoreThanItMay() {
    Operation first = new Operation();
    spare.give(first);
    spare.give(new Operation());
    assertThat(spare.take()).isSameAs(first);
    assertThat(spare.take()).isNotSameAs(first);
  }
}
