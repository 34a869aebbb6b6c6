package org.ringwire.infiniband.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class TimerWheelTest {

  private static final long MS = 1_000_000;

  @Test
  void shouldReturnEntryWhenItsTimeHasComeAndNotBefore() {
    TimerWheel<String> wheel = new TimerWheel<>(5 * MS);
    TimerWheel.Entry<String> entry = new TimerWheel.Entry<>("one");
    assertThat(wheel.isEmpty()).isTrue();
    assertThat(wheel.dueNs(entry)).isEqualTo(Conversation.NEVER);
    wheel.schedule(entry, 15 * MS + 1);
    assertThat(wheel.nextNs()).isEqualTo(16 * MS);
    assertThat(wheel.dueNs(entry)).isEqualTo(16 * MS);
    assertThat(wheel.poll(16 * MS - 1)).isNull();
    assertThat(wheel.poll(16 * MS)).isEqualTo("one");
    assertThat(wheel.poll(100 * MS)).isNull();
    assertThat(wheel.isEmpty()).isTrue();
  }

  @Test
  void shouldMoveEntryForwardOnly() {
    TimerWheel<String> wheel = new TimerWheel<>(0);
    TimerWheel.Entry<String> entry = new TimerWheel.Entry<>("one");
    wheel.schedule(entry, 20 * MS);
    wheel.schedule(entry, 30 * MS);
    assertThat(wheel.nextNs()).isEqualTo(20 * MS);
    wheel.schedule(entry, 10 * MS);
    assertThat(wheel.nextNs()).isEqualTo(10 * MS);
    wheel.remove(entry);
    wheel.remove(entry);
    assertThat(wheel.isEmpty()).isTrue();
    assertThat(wheel.poll(1000 * MS)).isNull();
  }

  /**
   * Whatever is scheduled: each entry comes by its deadline, and is rescheduled if it came early.
   */
  @Test
  void shouldForgetNoDeadline() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    long nowNs = random.nextLong(1L << 40);
    TimerWheel<Integer> wheel = new TimerWheel<>(nowNs);
    Map<Integer, TimerWheel.Entry<Integer>> entries = new HashMap<>();
    Map<Integer, Long> deadlines = new HashMap<>();
    for (int i = 0; i < 50; i++) {
      entries.put(i, new TimerWheel.Entry<>(i));
    }
    for (int step = 0; step < 20_000; step++) {
      int chosen = random.nextInt(50);
      long deadlineNs = nowNs + random.nextLong(600 * MS);
      if (deadlineNs < deadlines.getOrDefault(chosen, Long.MAX_VALUE)) {
        deadlines.put(chosen, deadlineNs);
        wheel.schedule(entries.get(chosen), deadlineNs);
      }
      nowNs += random.nextLong(3 * MS);
      for (Integer due = wheel.poll(nowNs); due != null; due = wheel.poll(nowNs)) {
        long wanted = deadlines.get(due);
        if (wanted <= nowNs) {
          deadlines.remove(due);
        } else {
          wheel.schedule(entries.get(due), wanted);
        }
      }
      for (long wanted : deadlines.values()) {
        assertThat(wanted).as("seed=%s", seed).isGreaterThan(nowNs - MS);
      }
    }
  }
}
