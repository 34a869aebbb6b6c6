package org.ringwire.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class InsistenceTest {

  private final AtomicInteger attempts = new AtomicInteger();

  @Test
  void shouldTryAgainUntilThereIsHeap() {
    Insistence.on(this, () -> failBefore(5));
    assertThat(attempts).hasValue(5);
  }

  private void failBefore(int attempt) {
    if (attempts.incrementAndGet() < attempt) {
      throw new OutOfMemoryError("as this test wants it");
    }
  }

  @Test
  void shouldGiveUpWhenTheTimeIsOver() {
    assertThatThrownBy(() -> Insistence.until(System.nanoTime(), this, () -> failBefore(5)))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void shouldNotTryAgainWhatFailsForAnotherReason() {
    assertThatThrownBy(() ->
            Insistence.on(
                this,
                () -> {
                  attempts.incrementAndGet();
                  throw new IllegalStateException("as this test wants it");
                }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(attempts).hasValue(1);
  }
}
