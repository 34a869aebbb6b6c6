package org.ringwire.transport.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.LogRecorder;
import org.ringwire.testing.NodeWatcher;

/** The ends of threads. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("does not end")
class TransportThreadsTest {

  private static final long SOON_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long FAR_NS = TimeUnit.SECONDS.toNanos(30);

  private static void stayUntil(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldTellWhereThreadIsThatDoesNotEnd() {
    Logger logger = Logger.getLogger(TransportThreads.class.getName());
    CountDownLatch end = new CountDownLatch(1);
    Thread thread = Thread.ofPlatform().name("some-io-0").start(() -> stayUntil(end));
    try (LogRecorder recorder = LogRecorder.of(logger, Level.WARNING)) {
      assertThat(TransportThreads.awaitEnd(thread, SOON_NS)).isFalse();
      LogRecord record = recorder.records().element();
      assertThat(record.getMessage()).contains("some-io-0");
      assertThat(record.getThrown().getStackTrace())
          .extracting(StackTraceElement::getMethodName)
          .contains("stayUntil");
      end.countDown();
      assertThat(TransportThreads.awaitEnd(thread, FAR_NS)).isTrue();
      assertThat(recorder.records()).hasSize(1);
    } finally {
      end.countDown();
    }
  }
}
