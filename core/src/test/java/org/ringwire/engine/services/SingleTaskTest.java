package org.ringwire.engine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Due once at a time, and never believed to be due when it is not. */
@ExtendWith(NodeWatcher.class)
class SingleTaskTest {

  private final Queue<Runnable> scheduled = new ArrayDeque<>();
  private int refusals; // to come
  private int runs;
  private final SingleTask task = new SingleTask(this::schedule, this::act);

  private void schedule(Runnable action, long delayNs) {
    if (refusals > 0) {
      refusals--;
      throw new OutOfMemoryError("as if there was no heap");
    }
    scheduled.add(action);
  }

  private void act() {
    runs++;
  }

  @Test
  void shouldBeScheduledOnceHoweverManyAsk() {
    task.later(1);
    task.later(1);
    assertThat(scheduled).hasSize(1);
    scheduled.remove().run();
    assertThat(runs).isOne();
    task.later(1);
    assertThat(scheduled).hasSize(1);
  }

  @Test
  void shouldBeScheduledByWhoComesNextIfThereWasNoHeap() {
    refusals = 1;
    assertThatThrownBy(() -> task.later(1)).isInstanceOf(OutOfMemoryError.class);
    task.later(1);
    assertThat(scheduled).hasSize(1);
  }

  @Test
  void shouldGoOnThoughThereIsNoHeapWhenItAsksItself() {
    refusals = 3;
    task.again(1);
    assertThat(scheduled).hasSize(1);
  }
}
