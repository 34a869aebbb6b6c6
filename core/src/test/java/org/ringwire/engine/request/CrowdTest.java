package org.ringwire.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** How many threads that wait are many, and how they wait. */
@ExtendWith(NodeWatcher.class)
class CrowdTest {

  private final Crowd crowd = new Crowd();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger written = new AtomicInteger();

  @Test
  void shouldBeCrowdedWhileManyWait() {
    for (int thread = 0; thread < Crowd.FEW; thread++) {
      crowd.enter();
    }
    assertThat(crowd.isCrowded()).isFalse();
    crowd.enter();
    assertThat(crowd.isCrowded()).isTrue();
    crowd.leave();
    assertThat(crowd.isCrowded()).isFalse();
  }

  @Test
  void shouldNotYieldAmongFewHoweverManyHaveWaited() {
    for (int wait = 0; wait < 1_000_000; wait++) {
      crowd.enter();
      crowd.leave();
    }
    assertThat(crowd.mayYield()).isFalse();
    assertThat(crowd.isCrowded()).isFalse();
  }

  @Test
  void shouldLeaveRequestsToWhoAnswersACrowd() {
    for (int thread = 0; thread < Crowd.FEW; thread++) {
      crowd.enter();
    }
    assertThat(crowd.beginAnswers()).as("few write for themselves").isFalse();
    assertThat(crowd.leavesToReader()).isFalse();
    crowd.enter();
    assertThat(crowd.beginAnswers()).isTrue();
    crowd.leave(); // answered, and asks again
    assertThat(crowd.leavesToReader()).isTrue();
    crowd.endAnswers();
    assertThat(crowd.leavesToReader()).isFalse();
  }

  @Test
  void shouldWriteOnceAfterTheFirstYieldAlways() {
    long farNs = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    assertThat(Crowd.awaitYielding(() -> true, farNs, written::incrementAndGet)).isTrue();
    assertThat(written).hasValue(1);
    assertThat(Crowd.awaitYielding(() -> false, farNs, written::incrementAndGet)).isFalse();
    assertThat(written).hasValue(2);
  }

  @Test
  void shouldNotGoOnYieldingWhenItsTimeIsOver() {
    boolean there =
        Crowd.awaitYielding(() -> looks.incrementAndGet() > 5, System.nanoTime(), () -> {});
    assertThat(there).isFalse();
  }

  @Test
  void shouldYieldUntilItIsThere() {
    long farNs = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    boolean there =
        Crowd.awaitYielding(() -> looks.incrementAndGet() >= 3, farNs, written::incrementAndGet);
    assertThat(there).isTrue();
    assertThat(looks.get()).isLessThan(Crowd.MOST_YIELDS);
  }
}
