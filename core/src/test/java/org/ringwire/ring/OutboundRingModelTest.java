package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.ring.RingModel.Frame;
import org.ringwire.ring.RingModel.Kind;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

/** Random steps, each with the answer that a simple model gives; the seed is in the message. */
@ExtendWith(NodeWatcher.class)
class OutboundRingModelTest {

  private static final int RUNS = 100;
  private static final int STEPS = 400;

  @ParameterizedTest
  @ValueSource(ints = {64, 128, 256, 1024, 16_384, 524_288})
  void shouldAnswerAsTheModelDoes(int capacity) {
    int restartsAhead = 0;
    int detached = 0;
    for (int number = 0; number < RUNS; number++) {
      long seed = capacity * 1_000_003L + number;
      try {
        Run run = new Run(capacity, seed);
        run.run();
        restartsAhead += run.restartsAhead;
        detached += run.detached;
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("capacity=" + capacity + ", seed=" + seed, e);
      }
    }
    assertThat(restartsAhead).as("the steps come to it").isPositive();
    assertThat(detached).as("the steps come to it").isPositive();
  }

  private static final class Run {
    private final SplittableRandom random;
    private final RingFixture fixture;
    private final OutboundRing ring;
    private final RingModel model;
    private long granted;
    private long scanned;
    private int restartsAhead;
    private int detached;

    Run(int capacity, long seed) {
      random = new SplittableRandom(seed);
      fixture = new RingFixture(capacity);
      ring = fixture.ring;
      model = new RingModel(capacity);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> claim();
          case 3, 4 -> finish(false);
          case 5 -> finish(random.nextInt(3) == 0);
          case 6, 7 -> send();
          case 8 -> complete();
          default -> other();
        }
        check();
      }
      while (model.anyOpen(random) != null) {
        finish(false);
      }
      drain();
      assertThat(fixture.isUnmarked()).isTrue();
      assertThat(ring.isEmpty()).isTrue();
    }

    private void drain() {
      while (!ring.isEmpty()) {
        send();
        complete();
        check();
      }
      fixture.complete(fixture.inFlight());
      model.complete(model.inFlight());
    }

    private void claim() {
      int length = random.nextInt(16) == 0 ? 8 : random.nextInt(8, ring.maxFrameLength() + 1);
      boolean charged = random.nextBoolean();
      if (random.nextInt(4) == 0) {
        granted += random.nextLong(ring.capacity());
      }
      long expected = model.claim(length, charged, granted);
      long position = charged ? ring.tryClaim(length, granted) : ring.tryClaimUncharged(length);
      assertThat(position).isEqualTo(expected);
      if (position >= 0) {
        fixture.encode(position, length, model.frames.getLast().word);
      }
    }

    private void finish(boolean abort) {
      Frame frame = model.anyOpen(random);
      if (frame == null) {
        return;
      }
      if (abort) {
        model.commit(frame, Kind.PADDING);
        if (frame.charged) {
          ring.abort(frame.position, frame.length);
        } else {
          ring.abortUncharged(frame.position, frame.length);
        }
      } else if (!frame.charged && frame.length == 8 && random.nextInt(4) != 0) {
        model.commit(frame, Kind.DETACHED);
        ring.commit(frame.position, FrameLayout.header(FrameLayout.DETACHED, 0, frame.length));
      } else {
        model.commit(frame, frame.charged ? Kind.MESSAGE : Kind.RESPONSE);
        ring.commit(
            frame.position,
            frame.charged ? RingFixture.message(frame.length) : RingFixture.response(frame.length));
      }
    }

    private void send() {
      long max = random.nextLong(1, ring.capacity() + 1);
      long expected = model.scan(max, scanned);
      assertThat(ring.consumer().scan(max)).isEqualTo(expected);
      assertThat(ring.consumer().sentOffset()).isEqualTo(model.sent % ring.capacity());
      scanned = model.sent + expected;
      if (expected > 0) {
        long bytes = random.nextBoolean() ? expected : random.nextLong(expected) + 1;
        model.send(bytes);
        fixture.take(0, bytes);
      } else if (model.isNext(Kind.DETACHED)) {
        long position = model.frames.getFirst().position;
        assertThat(ring.consumer().detachedPosition()).isEqualTo(position);
        model.arrived.add(~position);
        detached++;
        model.skip();
        fixture.passDetached();
      } else {
        assertThat(ring.consumer().detachedPosition()).isEqualTo(-1);
      }
    }

    private void complete() {
      assertThat(fixture.inFlight()).isEqualTo(model.inFlight());
      if (model.inFlight() > 0) {
        long bytes = random.nextLong(model.inFlight()) + 1;
        model.complete(bytes);
        fixture.complete(bytes);
      }
    }

    private long restartOffset() {
      return Math.min(64 << 10, ring.capacity() / 4);
    }

    private void other() {
      long bytes = random.nextLong(8, 2 * ring.capacity());
      switch (random.nextInt(4)) {
        case 0 -> assertThat(ring.consumer().restart()).isEqualTo(model.restart(restartOffset()));
        case 3 -> {
          boolean moved = ring.consumer().restartAhead();
          assertThat(moved).isEqualTo(model.restartAhead(restartOffset()));
          restartsAhead += moved ? 1 : 0;
        }
        case 1 ->
            assertThat(ring.tryCharge(bytes, granted)).isEqualTo(model.charge(bytes, granted));
        default -> {
          long back = Math.min(bytes, model.chargedElsewhere);
          model.chargedElsewhere -= back;
          ring.uncharge(back);
        }
      }
    }

    private void check() {
      assertThat(ring.claimed()).isEqualTo(model.tail);
      assertThat(ring.pendingBytes()).isEqualTo(model.tail - model.sent);
      assertThat(ring.isEmpty()).isEqualTo(model.tail == model.sent);
      assertThat(ring.consumer().sentMessages()).isEqualTo(model.sentMessages);
      assertThat(fixture.arrived).isEqualTo(model.arrived);
      if (model.open().isEmpty()) {
        assertThat(ring.consumer().countUnsentMessages()).isEqualTo(model.unsentMessages());
      }
    }
  }
}
