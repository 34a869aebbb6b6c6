package org.ringwire.benchmarks.reference.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.ringwire.tools.bench.measure.WarmUp;

class MeasurementTest {
  private static final int THREADS = 3;

  private final AtomicLong received = new AtomicLong();

  /** How many threads there were each time that the receiver was asked for its counts. */
  private final List<Long> threads = new ArrayList<>();

  private static Settings settings(Settings.Kind kind) {
    return new Settings(
        "reference",
        kind,
        8,
        THREADS,
        Settings.Mode.PARK,
        Settings.Pin.NONE,
        0.05,
        WarmUp.of(0),
        0,
        Settings.MESSAGES_PER_FLUSH);
  }

  private static Measurement measurement(Settings settings) {
    return new Measurement(settings, "reference", "tcp", 2);
  }

  private ReceiverReport report() {
    threads.add(
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("sender-"))
            .count());
    return new ReceiverReport(received.get(), 0, 0, 0, 0, 0, 0);
  }

  private class Client implements StreamClient, RequestClient {
    @Override
    public void send(Sample sample, boolean flush) {
      received.incrementAndGet();
    }

    @Override
    public Sample request(Sample sample) {
      received.incrementAndGet();
      return sample;
    }

    @Override
    public ReceiverReport barrier() {
      return report();
    }
  }

  @Test
  void shouldHaveAllThreadsOfAStreamBeforeTheClockStarts() throws Exception {
    Result result = measurement(settings(Settings.Kind.STREAM)).stream(new Client());

    assertThat(threads).containsExactly((long) THREADS, 0L);
    assertThat(result.isVerified()).isTrue();
    assertThat(result.messages()).isEqualTo(received.get());
  }

  @Test
  void shouldHaveAllRequestingThreadsBeforeTheClockStarts() throws Exception {
    Settings settings = settings(Settings.Kind.REQUESTS);
    Result result =
        measurement(settings).roundTrips(new ThreadedRoundTrips(new Client(), settings));

    assertThat(threads).containsExactly((long) THREADS, 0L);
    assertThat(result.isVerified()).isTrue();
    assertThat(result.messages()).isEqualTo(received.get());
  }

  /** The last messages of a sender leave no gap that the receiver could see. */
  @Test
  void shouldCallLostWhatTheReceiverHasNotHandled() throws Exception {
    Result result =
        measurement(settings(Settings.Kind.STREAM)).stream(
            new Client() {
              @Override
              public ReceiverReport barrier() {
                ReceiverReport all = report();
                long swallowed = all.received() == 0 ? 0 : 2;
                return new ReceiverReport(all.received() - swallowed, 0, 0, 0, 0, 0, 0);
              }
            });

    assertThat(result.lost()).isEqualTo(2);
    assertThat(result.isVerified()).isFalse();
  }

  @Test
  void shouldAddWhatTheReceiverHasUsedMeanwhile() throws Exception {
    Result result =
        measurement(settings(Settings.Kind.STREAM)).stream(
            new Client() {
              @Override
              public ReceiverReport barrier() {
                long count = report().received();
                long cpuNanos = 700_000_000_000L + 1_000_000 * count; // a millisecond each
                return new ReceiverReport(count, 0, 0, 0, 5_000 + 40 * count, cpuNanos, 0);
              }
            });

    assertThat(result.allocatedBytesPerMessage().receiver()).isEqualTo(40);
    assertThat(result.cpuSecondsPerMillionMessages()).isBetween(1000.0, 1100.0);
  }

  @Test
  void shouldSayWhyAThreadFailed() {
    Settings settings = settings(Settings.Kind.REQUESTS);
    RequestClient broken =
        sample -> {
          if (sample.sender() == Sample.BARRIER) {
            return report().toSample(sample.sequence());
          }
          throw new IOException("connection lost");
        };

    assertThatThrownBy(
            () -> measurement(settings).roundTrips(new ThreadedRoundTrips(broken, settings)))
        .isInstanceOf(IOException.class)
        .hasMessage("connection lost");
  }
}
