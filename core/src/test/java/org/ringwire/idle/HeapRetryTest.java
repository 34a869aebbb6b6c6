package org.ringwire.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class HeapRetryTest {

  private final AtomicInteger attempts = new AtomicInteger();

  @Test
  void shouldTryAgainUntilThereIsHeap() {
    HeapRetry.run(this, () -> failBefore(5));
    assertThat(attempts).hasValue(5);
  }

  private void failBefore(int attempt) {
    if (attempts.incrementAndGet() < attempt) {
      throw new OutOfMemoryError("as this test wants it");
    }
  }

  @Test
  void shouldGiveUpWhenTheTimeIsOver() {
    assertThatThrownBy(() -> HeapRetry.runUntil(System.nanoTime(), this, () -> failBefore(5)))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void shouldNotTryAgainWhatFailsForAnotherReason() {
    assertThatThrownBy(() ->
            HeapRetry.run(
                this,
                () -> {
                  attempts.incrementAndGet();
                  throw new IllegalStateException("as this test wants it");
                }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(attempts).hasValue(1);
  }

  /** Its core is for those who may free some. */
  @Test
  void shouldPauseThoughTheThreadIsInterrupted() {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> HeapRetry.runUntil(endNs, this, () -> failBefore(Integer.MAX_VALUE)))
          .isInstanceOf(OutOfMemoryError.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(attempts).hasValueLessThan(1_000); // of a thread that spins, a million
  }
}
