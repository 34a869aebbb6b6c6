package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.testing.NodeWatcher;

/** Many producers against one consumer that sends in pieces, completes late and restarts. */
@ExtendWith(NodeWatcher.class)
class OutboundRingStormTest {

  private static final long SEED = 20260917L;

  @ParameterizedTest
  @CsvSource({
    "64, 2, 5000",
    "128, 3, 5000",
    "256, 2, 10000",
    "4096, 4, 20000",
    "65536, 8, 10000",
    "524288, 3, 2000"
  })
  void shouldKeepEveryProducersOrderAndTheBoundOfCredit(int capacity, int producers, int frames)
      throws InterruptedException {
    Storm storm = new Storm(new RingFixture(capacity), producers, frames);
    storm.run();

    assertThat(storm.failure.get()).isNull();
    assertThat(storm.fixture.isUnmarked()).isTrue();
    assertThat(storm.fixture.ring.isEmpty()).isTrue();
    assertThat(storm.delivered).containsOnly(frames);
    assertThat(storm.maxCharged).isLessThanOrEqualTo(0);
  }

  private static final class Storm {
    final RingFixture fixture;
    final int[] delivered;
    final int frames;
    final AtomicLong granted;
    final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** By how much charged bytes exceeded the grant at most: never more than 0. */
    long maxCharged = Long.MIN_VALUE;

    private long arrivedCount;

    Storm(RingFixture fixture, int producers, int frames) {
      this.fixture = fixture;
      this.frames = frames;
      delivered = new int[producers];
      granted = new AtomicLong(window());
    }

    private long window() {
      return fixture.ring.capacity() * 3 / 4;
    }

    void run() throws InterruptedException {
      List<Thread> threads = new ArrayList<>();
      for (int producer = 0; producer < delivered.length; producer++) {
        int id = producer;
        threads.add(Thread.ofPlatform().start(() -> guarded(() -> produce(id))));
      }
      guarded(this::consume);
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private void guarded(Runnable body) {
      try {
        body.run();
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
      }
    }

    private void produce(int id) {
      SplittableRandom random = new SplittableRandom(SEED + id);
      OutboundRing ring = fixture.ring;
      for (int sequence = 0; sequence < frames && failure.get() == null; ) {
        int length = random.nextInt(16, ring.maxFrameLength() + 1);
        boolean exempt = random.nextInt(4) == 0;
        boolean abort = random.nextInt(8) == 0;
        long position = exempt ? ring.tryClaimUncharged(length) : ring.tryClaim(length, credit());
        if (position < 0) {
          chargeSometimes(random);
          RingFixture.giveWay();
          continue;
        }
        fixture.encode(position, length, (long) id << 32 | sequence);
        if (abort && exempt) {
          ring.abortUncharged(position, length);
        } else if (abort) {
          ring.abort(position, length);
        } else {
          ring.commit(
              position, exempt ? RingFixture.response(length) : RingFixture.message(length));
          sequence++;
        }
      }
    }

    private long credit() {
      return granted.get();
    }

    /** Charges for memory elsewhere and gives it back. */
    private void chargeSometimes(SplittableRandom random) {
      if (random.nextInt(4) == 0) {
        long bytes = random.nextLong(8, fixture.ring.capacity());
        if (fixture.ring.tryCharge(bytes, credit())) {
          fixture.ring.uncharge(bytes);
        }
      }
    }

    private void consume() {
      SplittableRandom random = new SplittableRandom(SEED);
      OutboundRing ring = fixture.ring;
      while (arrivedCount < (long) frames * delivered.length || !ring.isEmpty()) {
        if (failure.get() != null) {
          return;
        }
        long scanned = ring.consumer().scan(random.nextLong(1, ring.capacity()));
        if (scanned > 0 && random.nextInt(3) == 0) {
          fixture.take(0, random.nextLong(scanned) + 1);
        } else if (scanned > 0) {
          fixture.take(0, scanned);
        }
        if (fixture.inFlight() > 0 && random.nextBoolean()) {
          fixture.complete(random.nextLong(fixture.inFlight()) + 1);
        }
        if (!ring.consumer().restart()) {
          ring.consumer().restartAhead();
        }
        checkArrived();
        if (scanned == 0) {
          RingFixture.giveWay();
        }
      }
      fixture.complete(fixture.inFlight());
    }

    private void checkArrived() {
      maxCharged = Math.max(maxCharged, fixture.arrivedCharged - granted.get());
      granted.set(fixture.arrivedCharged + window());
      for (long word : fixture.arrived) {
        int id = (int) (word >>> 32);
        if (delivered[id] != (int) word) {
          throw new AssertionError(
              "producer=" + id + ", expected=" + delivered[id] + ", arrived=" + (int) word);
        }
        delivered[id]++;
        arrivedCount++;
      }
      fixture.arrived.clear();
    }
  }
}
