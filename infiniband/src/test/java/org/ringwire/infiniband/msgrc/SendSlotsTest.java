package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.infiniband.LateStart;
import org.ringwire.infiniband.device.StagingPool;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class SendSlotsTest {

  @Test
  void shouldTakeWhatIsBothOfferedAndAcknowledged() {
    SendSlots slots = new SendSlots(4);
    slots.add(10, null);
    slots.add(20, null);
    assertThat(slots.free()).isEqualTo(2);
    slots.acknowledge(0); // the device is faster than the writer
    assertThat(slots.isTakeable()).isFalse();
    assertThat(slots.addedBytes()).isEqualTo(30);
    slots.offer();
    assertThat(slots.isTakeable()).isTrue();
    assertThat(slots.take()).isEqualTo(10);
    assertThat(slots.free()).isEqualTo(3);
    assertThat(slots.outstanding()).isEqualTo(1);
    assertThat(slots.isTakeable()).isFalse();
    slots.acknowledge(1);
    assertThat(slots.take()).isEqualTo(20);
    assertThat(slots.outstanding()).isZero();
  }

  /** Requests that are not signalled have no completion of their own. */
  @Test
  void shouldTakeAllBeforeOneThatHasCompletion() {
    SendSlots slots = new SendSlots(8);
    for (int i = 1; i <= 5; i++) {
      slots.add(i, null);
    }
    slots.offer();
    slots.acknowledge(3);
    assertThat(slots.take()).isEqualTo(1 + 2 + 3 + 4);
    slots.acknowledge(2); // late, and known
    assertThat(slots.take()).isZero();
    assertThat(slots.outstanding()).isEqualTo(1);
  }

  /** A completion has 32 bits of the number, of which a fast link uses up all in an hour. */
  @ParameterizedTest
  @ValueSource(longs = {1L << 31, 1L << 32})
  void shouldGoOnWhereTheBitsOfNumbersWrap(long boundary) throws Exception {
    SendSlots slots = new SendSlots(4);
    LateStart.set(slots, boundary - 6, "added", "offered", "acknowledged", "taken");
    for (int i = 0; i < 4; i++) {
      long first = slots.next();
      for (int length = 1; length <= 3; length++) {
        assertThat(slots.add(length, null)).isEqualTo(first + length - 1);
      }
      slots.offer();
      slots.acknowledge((int) first + 1);
      assertThat(slots.take()).isEqualTo(1 + 2);
      slots.acknowledge((int) first); // an earlier one is none
      assertThat(slots.isTakeable()).isFalse();
      slots.acknowledge((int) first + 2);
      assertThat(slots.take()).isEqualTo(3);
      assertThat(slots.outstanding()).isZero();
    }
  }

  @Test
  void shouldRetractWhatWasNotPosted() {
    try (Arena arena = Arena.ofConfined()) {
      StagingPool pool = new StagingPool(arena.allocate(64), 1, 64);
      SendSlots slots = new SendSlots(4);
      slots.add(10, null);
      slots.add(20, pool.share().take());
      slots.retract(1);
      assertThat(pool.isExhausted()).isFalse();
      assertThat(slots.addedBytes()).isEqualTo(10);
      assertThat(slots.next()).isEqualTo(1);
      slots.add(30, pool.share().take());
      slots.forgetBytes();
      slots.offer();
      assertThat(pool.isExhausted()).isTrue();
      slots.acknowledge(1);
      assertThat(slots.take()).isZero();
      assertThat(pool.isExhausted()).isFalse();
    }
  }

  @Test
  void shouldAcknowledgeAllAtTheEnd() {
    try (Arena arena = Arena.ofConfined()) {
      StagingPool pool = new StagingPool(arena.allocate(128), 1, 64);
      SendSlots slots = new SendSlots(4);
      slots.add(10, pool.share().take());
      slots.offer();
      slots.add(20, pool.share().take()); // a write that failed half way
      assertThat(slots.unoffered()).isEqualTo(1);
      assertThat(slots.acknowledgeAll()).as("whose budget nobody else gives back").isEqualTo(1);
      assertThat(slots.unoffered()).isZero();
      assertThat(slots.take()).isEqualTo(10);
      assertThat(slots.outstanding()).isZero();
      assertThat(pool.share().take()).isNotNull();
      assertThat(pool.share().take()).isNotNull();
    }
  }

  /** Numbers pass 2^32, of which a completion has the low bits only. */
  @Test
  @SuppressWarnings("ThreadPriorityCheck") // the other thread may need this core
  void shouldGoOnForEver() throws InterruptedException {
    int depth = 100; // no power of two
    int rounds = 2_000_000;
    SendSlots slots = new SendSlots(depth);
    AtomicLong posted = new AtomicLong(-1);
    AtomicLong completed = new AtomicLong();
    CountDownLatch ended = new CountDownLatch(1);
    Thread device =
        Thread.ofPlatform()
            .start(() -> {
              while (completed.get() < rounds) {
                slots.acknowledge((int) posted.get());
                synchronized (ended) {
                  completed.addAndGet(slots.take());
                }
                Thread.yield();
              }
              ended.countDown();
            });
    for (int i = 0; i < rounds; ) {
      if (slots.free() == 0) {
        Thread.yield();
        continue;
      }
      posted.set(slots.add(1, null)); // and at once completed, perhaps
      slots.offer();
      i++;
    }
    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    device.join();
    assertThat(completed.get()).isEqualTo(rounds);
    assertThat(slots.free()).isEqualTo(depth);
  }
}
