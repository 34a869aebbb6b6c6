package org.ringwire.transport.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Threads;

@ExtendWith(NodeWatcher.class)
class GateTest {

  @Test
  void shouldCloseAtOnceWhenNobodyIsInside() {
    Gate gate = new Gate();
    assertThat(gate.enter()).isTrue();
    assertThat(gate.leave()).isFalse();
    assertThat(gate.isClosing()).isFalse();
    assertThat(gate.close()).isTrue();
    assertThat(gate.close()).isFalse();
    assertThat(gate.isClosed()).isTrue();
  }

  @Test
  void shouldCloseWhenTheLastOneLeaves() {
    Gate gate = new Gate();
    gate.enter();
    gate.enter();
    assertThat(gate.close()).isFalse();
    assertThat(gate.isClosing()).isTrue();
    assertThat(gate.leave()).isFalse();
    assertThat(gate.isClosed()).isFalse();
    assertThat(gate.enter()).isFalse();
    assertThat(gate.leave()).isFalse();
    assertThat(gate.leave()).isTrue();
    assertThat(gate.isClosed()).isTrue();
  }

  @Test
  void shouldNeverHaveAnybodyInsideOnceClosed() throws Exception {
    for (int round = 0; round < 100; round++) {
      Gate gate = new Gate();
      AtomicInteger inside = new AtomicInteger();
      AtomicInteger reports = new AtomicInteger();
      AtomicBoolean late = new AtomicBoolean();
      Threads threads = new Threads();
      for (int i = 0; i < 3; i++) {
        threads.start(() -> {
          boolean entered = true;
          while (entered) {
            entered = gate.enter();
            if (entered) {
              inside.incrementAndGet();
              inside.decrementAndGet();
            }
            if (gate.leave()) {
              reports.incrementAndGet();
              late.compareAndSet(false, inside.get() != 0);
            }
          }
        });
      }
      threads.start(() -> {
        if (gate.close()) {
          reports.incrementAndGet();
        }
      });
      threads.join();
      assertThat(reports.get()).isPositive();
      assertThat(late.get()).isFalse();
      assertThat(gate.isClosed()).isTrue();
    }
  }
}
