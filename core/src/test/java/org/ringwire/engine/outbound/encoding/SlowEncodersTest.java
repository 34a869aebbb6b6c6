package org.ringwire.engine.outbound.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.LogRecorder;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
@ExpectedErrors("claim open for too long")
class SlowEncodersTest {

  private static final long LIMIT_NS = 100_000_000;
  private static final int TYPE = 7;

  private final LogRecorder recorder =
      LogRecorder.of(Logger.getLogger("org.ringwire"), Level.WARNING);
  private final SlowEncoders encoders =
      new SlowEncoders(LIMIT_NS, new ErrorLog(1), new MessageCatalog());
  private long nowNs = Long.MAX_VALUE - 1000; // overflows

  @AfterEach
  void end() {
    recorder.close();
  }

  private void offend(boolean clearly) {
    encoders.add(TYPE, "peer", clearly, nowNs);
  }

  @Test
  void shouldForgiveAThreadThatDidNotRun() {
    offend(false);
    offend(false);
    assertThat(encoders.contains(TYPE)).isFalse();
    assertThat(recorder.records())
        .as("it is told all the same, without the stack of who looks")
        .singleElement() // as the second comes at once
        .satisfies(logged -> {
          assertThat(logged.getMessage()).contains("encode() took long");
          assertThat(logged.getThrown()).isNull();
        });
    nowNs += SlowEncoders.MEMORY_NS;
    for (int times = 0; times < 10; times++) {
      offend(false);
      nowNs += SlowEncoders.MEMORY_NS;
    }
    assertThat(encoders.contains(TYPE)).as("far from each other").isFalse();
  }

  @Test
  void shouldSetATypeApartThatOffendsAgainAndAgain() {
    for (int times = 0; times < SlowEncoders.OFFENCES; times++) {
      assertThat(encoders.contains(TYPE)).isFalse();
      offend(false);
      nowNs += SlowEncoders.MEMORY_NS / 2;
    }
    assertThat(encoders.contains(TYPE)).isTrue();
    assertThat(encoders.contains(TYPE + 1)).isFalse();
  }

  @Test
  void shouldSetATypeApartAtOnceWhoseCodecClearlyBlocks() {
    assertThat(encoders.isTooLong(LIMIT_NS - 1)).isFalse();
    assertThat(encoders.isTooLong(LIMIT_NS)).isTrue();
    assertThat(encoders.isClearlyTooLong(LIMIT_NS)).isFalse();
    assertThat(encoders.isClearlyTooLong(SlowEncoders.CLEARLY * LIMIT_NS)).isTrue();
    offend(true);
    assertThat(encoders.contains(TYPE)).isTrue();
    assertThat(recorder.records())
        .as("a copy of hundreds of megabytes takes as long, which is no defect")
        .singleElement()
        .satisfies(logged ->
            assertThat(logged.getMessage())
                .contains("a codec that blocks in encode(), or whose messages are very long,"));
  }

  /** What is not marked yet has no type, and no codec that could be to blame. */
  @Test
  void shouldSetNothingApartForAClaimThatIsNotMarked() {
    for (int times = 0; times < 2 * SlowEncoders.OFFENCES; times++) {
      encoders.add(-1, "peer", times % 2 == 1, nowNs);
    }
    assertThat(encoders.hasAny()).isFalse();
    assertThat(recorder.records()).as("nobody can do anything about it").isEmpty();
  }

  @Test
  void shouldTakeATypeBackThatHasRecovered() {
    offend(true);
    nowNs += SlowEncoders.PROBATION_NS / 2;
    encoders.encodedApart(TYPE, LIMIT_NS, nowNs);
    nowNs += SlowEncoders.RECOVERY_NS - 1;
    encodeInTime(SlowEncoders.ENOUGH_ENCODINGS);
    assertThat(encoders.contains(TYPE)).as("it was slow not so long ago").isTrue();
    nowNs += 1;
    encodeInTime(1);
    assertThat(encoders.contains(TYPE)).isFalse();
    offend(false);
    assertThat(encoders.contains(TYPE)).as("a new beginning").isFalse();
  }

  @Test
  void shouldSoonTakeATypeBackWhoseCodecIsQuick() {
    offend(true);
    nowNs += SlowEncoders.PROBATION_NS - 1;
    encodeInTime(SlowEncoders.ENOUGH_ENCODINGS);
    assertThat(encoders.contains(TYPE)).as("not at once").isTrue();
    nowNs += 1;
    encodeInTime(1);
    assertThat(encoders.contains(TYPE)).isFalse();
    assertThat(encoders.hasAny()).isFalse();
  }

  @Test
  void shouldNotTakeATypeBackOfWhichItHasSeenLittle() {
    offend(true);
    nowNs += 2 * SlowEncoders.PROBATION_NS;
    encodeInTime(SlowEncoders.ENOUGH_ENCODINGS - 1);
    assertThat(encoders.contains(TYPE)).isTrue();
    encodeInTime(1);
    assertThat(encoders.contains(TYPE)).isFalse();
  }

  @Test
  void shouldTakeTwiceAsLongEachTimeThatATypeOffendsAgain() {
    long probationNs = SlowEncoders.PROBATION_NS;
    for (int times = 0; times < 10; times++) {
      offend(true);
      nowNs += probationNs - 1;
      encodeInTime(SlowEncoders.ENOUGH_ENCODINGS);
      assertThat(encoders.contains(TYPE)).as("time %d, too early", times).isTrue();
      nowNs += 1;
      encodeInTime(1);
      assertThat(encoders.contains(TYPE)).as("time %d", times).isFalse();
      probationNs = Math.min(2 * probationNs, SlowEncoders.RECOVERY_NS);
    }
    nowNs += SlowEncoders.RELAPSE_NS;
    offend(true);
    nowNs += SlowEncoders.PROBATION_NS;
    encodeInTime(SlowEncoders.ENOUGH_ENCODINGS);
    assertThat(encoders.contains(TYPE)).as("after a long good time").isFalse();
  }

  private void encodeInTime(int messages) {
    for (int count = 0; count < messages; count++) {
      encoders.encodedApart(TYPE, LIMIT_NS - 1, nowNs);
    }
  }
}
