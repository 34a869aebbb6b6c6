package org.ringwire.engine.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class BoundedTest {

  /** With its status set no thread parks: it would look as fast as it can. */
  @Test
  void shouldPauseBetweenLooksThoughItIsInterrupted() {
    AtomicInteger looks = new AtomicInteger();
    Thread.currentThread().interrupt();
    boolean happened =
        Bounded.await(
            () -> {
              looks.incrementAndGet();
              return false;
            },
            System.nanoTime() + Duration.ofMillis(100).toNanos());
    assertThat(Thread.interrupted()).as("it is told of that").isTrue();
    assertThat(happened).isFalse();
    assertThat(looks.get()).isBetween(1, 1000);
  }

  @Test
  void shouldLeaveNoInterruptBehind() {
    assertThat(Bounded.await(() -> true, System.nanoTime())).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
